import type { ErrorCode } from "../../base/error-codes.ts";
import { doubtAdvice } from "../../base/errors.ts";

/** A message as the program reports it. */
export interface Message {
  readonly text: string;
  /** The parts that are the same in each message of the kind. A test finds them in the program. */
  readonly fixed: readonly string[];
}

function said(fixed: TemplateStringsArray, ...values: readonly string[]): Message {
  return { text: String.raw({ raw: fixed }, ...values), fixed };
}

/** For each error code a message that the program reports with it, and what usually leads to it. */
export const errorReports: Readonly<Record<ErrorCode, { readonly message: Message; readonly causes: readonly string[] }>> = {
  invalid_json: {
    message: said`The body is not valid JSON: line ${"1"}, column ${"66"}.`,
    causes: [
      "The body has a trailing comma, single quotes or a comment.",
      "A shell has taken the quotes away: put the body of curl in single quotes.",
      "The body was cut off, is empty, or is not in UTF-8.",
    ],
  },
  invalid_http: {
    message: said`The request is not valid HTTP.`,
    causes: [
      "A client speaks TLS or another protocol to this port.",
      "A header has a character that HTTP forbids, or the address cannot be decoded.",
    ],
  },
  unauthorized: {
    message: said`The bearer token is not valid.`,
    causes: [
      "The header `Authorization` is missing, or does not begin with `Bearer`.",
      "The variable that should hold the key is empty in this shell: `echo $TENON_API_KEY`.",
      "The key was revoked, has expired, or belongs to another service.",
      "The access token is older than its `expires_in`: get a new one.",
    ],
  },
  platform_unauthorized: {
    message: said`${"Acme"} refused the credential of this connector. It may be wrong, expired or revoked.`,
    causes: [
      "The token in the settings is mistyped, has expired, or was revoked on the platform.",
      "The token is for another server, for example for the public service and not for your own server.",
    ],
  },
  platform_forbidden: {
    message: said`${"Acme"} responded with ${"403"}.${" It says: Resource not accessible by personal access token."}`,
    causes: [
      "The token lacks a scope or a permission that the action needs; the page of the entity names it.",
      "The organization demands single sign-on or approval for tokens.",
      "The account may read but not write there.",
    ],
  },
  approval_required: {
    message: said`A person has to approve this ${"issues.update"}: proposal ${"prop_…"} waits until ${"2026-11-24T12:00:00.000Z"}. Nothing was sent.`,
    causes: ["A rule of the policy requires an approval for this write: `tenon policy show` lists the rules."],
  },
  unknown_proposal: {
    message: said`There is no proposal "${"prop_…"}".`,
    causes: [
      "The id is mistyped.",
      "It is a proposal of another key, and this key has not the right `approve`.",
      "It is older than 30 days.",
    ],
  },
  unknown_subscription: {
    message: said`There is no subscription "${"sub_…"}".`,
    causes: [
      "The id is mistyped, or the subscription was deleted.",
      "It is a subscription of another key, and this key has not the right `admin`.",
    ],
  },
  too_many_subscriptions: {
    message: said`This caller has ${"200"} subscriptions already.`,
    causes: ["A program makes a subscription at each start, and never deletes one."],
  },
  unknown_webhook: {
    message: said`No webhook of ${"repository=octocat/hello-world"} was added here.`,
    causes: ["The scope is written in another way.", "The webhook was added by hand, with a secret in TENON_WEBHOOK_SECRETS."],
  },
  too_many_proposals: {
    message: said`${"20"} writes of this caller wait for an approval. Nothing was sent.`,
    causes: ["Nobody has looked at `tenon proposals` for a while.", "An agent repeats a write with other values each time."],
  },
  proposal_closed: {
    message: said`The proposal is ${"done"} already.`,
    causes: ["Two people have decided at the same time.", "The proposal has expired, or the key that made it was revoked."],
  },
  target_changed: {
    message: said`What this write would change has changed. Nothing was sent: look at proposal ${"prop_…"}.`,
    causes: ["Somebody has edited the record after the proposal was made."],
  },
  write_rejected: {
    message: said`The policy does not allow this ${"issues.update"}. Nothing was sent.`,
    causes: [
      "A rule of the policy names this key, connector, entity, action, field or value: `tenon policy show` lists the rules.",
      "A stricter rule comes before the rule that you expected: the first matching rule decides.",
    ],
  },
  policy_unusable: {
    message: said`The policy for writes cannot be used, so no write is sent. The operator finds in the log what is wrong.`,
    causes: [
      "The file that TENON_POLICY names was changed, and a rule in it is wrong: `tenon policy check` says where.",
      "The file is gone, or the service may not read it.",
    ],
  },
  authorization_required: {
    message: said`The connector "${"work"}" must be authorized by a user of ${"Acme"}: it has no refresh token that ${"Acme"} accepts.`,
    causes: [
      "The connector was added with OAuth, and no user has authorized it yet.",
      "The user has withdrawn the authorization, or its refresh token has expired.",
    ],
  },
  forbidden: {
    message: said`This token does not have the right ${'"write"'}.`,
    causes: [
      "The key may read only, and the request writes.",
      "The key is limited to some connectors or entities.",
      "A web page of another origin has sent the request: `TENON_CORS_ORIGINS` allows origins.",
    ],
  },
  unknown_connector: {
    message: said`There is no connector with this id.`,
    causes: [
      "The id in the address is mistyped: `GET /api/v1/integrations/connectors` lists those that the key may use.",
      "The connector was removed, or belongs to another organization or to other keys.",
    ],
  },
  unknown_route: {
    message: said`There is nothing at this address.`,
    causes: [
      "The path is mistyped: the page of [HTTP routes](../routes.md) lists all.",
      "A page that is off, such as `/admin` without `TENON_ADMIN=true`.",
    ],
  },
  unknown_caller: {
    message: said`There is no such ${"key"}, or it is revoked already.`,
    causes: ["The id is mistyped, or is the key itself and not its id.", "The key or client was made in another data folder."],
  },
  not_found: {
    message: said`${"Acme"} has nothing for these parameters of ${"issues.get"}, or the token may not see it.`,
    causes: [
      "The owner, repository, number or id does not exist, or is mistyped.",
      "It is private, and the account of the connector may not see it. Platforms hide it by the same response.",
      "It was renamed, moved or deleted.",
    ],
  },
  method_not_allowed: {
    message: said`This address takes ${"POST"}.`,
    causes: ["An action was sent with `GET`: all actions are `POST`, also those that read."],
  },
  request_timeout: {
    message: said`The request did not come in within the time that it may take.`,
    causes: ["The connection is slow, or the body is large.", "The header `Content-Length` names more bytes than were sent."],
  },
  id_taken: {
    message: said`The id "${"work"}" is taken, or was that of a connector which was removed. Choose another one.`,
    causes: [
      "A connector of this id is stored or in the settings.",
      "It was removed: its id stays reserved, because caches and keys may still name it.",
    ],
  },
  sync_running: {
    message: said`This connector instance is being synced already${""}.`,
    causes: ["A sync on schedule is under way.", "Somebody else, or another process, started one."],
  },
  semantic_index_not_ready: {
    message: said`Nothing of ${"issues"} was synced yet, so ${"body"} cannot be searched by meaning. ${"To sync it, run `tenon sync <connector> --scope <scope>`."}`,
    causes: [
      "The first sync has just ended, and its texts are still being embedded.",
      "The entity was never synced.",
      "The model was changed, so all texts are embedded again.",
    ],
  },
  idempotency_conflict: {
    message: said`This Idempotency-Key was sent with another request. Nothing was sent.`,
    causes: ["A program sends one constant key with every write.", "The body was changed between two attempts."],
  },
  idempotency_running: {
    message: said`The first request with this Idempotency-Key is still under way.`,
    causes: ["A client repeats a write before the first attempt has ended, for example because its own timeout is short."],
  },
  in_doubt: {
    message: said`It is unknown whether the write with this Idempotency-Key was done. Read whether it was; only when it was not, repeat it with a new key.`,
    causes: ["The service ended, or lost its connection to the platform, while the first attempt was under way."],
  },
  body_too_large: {
    message: said`The body is larger than ${"1 MiB"}.`,
    causes: ["A file or a log was put into a text.", "A filter has a very long list of values: send several searches."],
  },
  unsupported_media_type: {
    message: said`Send the header Content-Type: application/json.`,
    causes: ["`curl -d` without a header sends a form.", "The body has a compression other than gzip, deflate or br."],
  },
  invalid_request: {
    message: said`${"/params/repos: issues.list"} has no parameter "${"repos"}".`,
    causes: [
      "The name of an entity, an action, a parameter or a field is mistyped: `suggestion` has the nearest one.",
      'A required parameter is missing, or has another type, such as `"1"` for a number.',
      "A value is not among those that `allowed` lists.",
    ],
  },
  bad_cursor: {
    message: said`This cursor does not come from this list, or comes from a request with other parameters.`,
    causes: [
      "The filter, the sort or another parameter changed between two pages.",
      "The cursor belongs to another entity or connector.",
      "The cursor of a live list was sent with a cached search, or the other way round.",
    ],
  },
  forbidden_transition: {
    message: said`${"state_reason"} "${"completed"}" is not allowed with ${'state "open"'}.`,
    causes: ["A reason was sent that belongs to another state.", "A reason was sent without the state that it explains."],
  },
  platform_rejected: {
    message: said`${"Acme"} responded with ${"422"}.${" It says: Validation Failed."}`,
    causes: [
      "A value breaks a rule that only the platform can check: a label that does not exist, a text that is too long.",
      "The same thing exists already.",
    ],
  },
  platform_too_complex: {
    message: said`${"Acme"} sent a response of more than ${"16 MiB"}. Ask for fewer fields or a smaller page.`,
    causes: ["Many nested lists were requested in one page.", "The records have very long texts."],
  },
  headers_too_large: {
    message: said`The headers are larger than 16 KiB.`,
    causes: ["A browser or a proxy sends large cookies.", "A token of another system was added to the request."],
  },
  rate_limited: {
    message: said`The platform's rate limit leaves no room for this call for ${"840"} s.`,
    causes: [
      "The quota of the platform's account is used up, perhaps by other programs with the same token.",
      "Many writes in a short time: platforms limit these by a second limit.",
      "A large first sync is under way.",
    ],
  },
  too_many_requests: {
    message: said`This caller may have ${"600"} ${"requests a minute"}.`,
    causes: [
      "A loop sends requests without a pause.",
      "Several programs share one key: give each its own.",
      "The [limits of callers](../limits.md#the-service-and-each-caller) are too low for what you do.",
    ],
  },
  internal: {
    message: said`Something went wrong inside the service. The request id names it in the log.`,
    causes: ["A fault of the program. Please report it with what the log has for the request id."],
  },
  context_store_unavailable: {
    message: said`Cached search works in hosted mode only. Use list, get or api_search.`,
    causes: ["The client library runs in local mode, which has no cache."],
  },
  platform_failed: {
    message: said`The connection to ${"Acme"} failed or its response was cut off.`,
    causes: [
      "The platform has an outage: look at its status page.",
      "A proxy or firewall between the service and the platform ends connections, or sends a page of its own.",
      "The address of the platform in the settings is wrong.",
    ],
  },
  unexpected_response: {
    message: said`${"Acme"} sent a response without a list${""}.`,
    causes: [
      "The platform has changed, and the spec is older.",
      "A proxy sends its own page.",
      "The spec of your own connector names another place than the one where the records are.",
    ],
  },
  embedding_failed: {
    message: said`The endpoint for embeddings ${"responded with 401"}.`,
    causes: ["The endpoint for embeddings is away, or refuses its key.", "The folder of a sentence transformer lacks a file."],
  },
  service_unreachable: {
    message: said`The service at ${"http://127.0.0.1:8787"} cannot be reached.`,
    causes: [
      "The service is not running, or listens on another port.",
      "`TENON_URL` or `baseUrl` names another address.",
      "A firewall or a network of containers is between them.",
    ],
  },
  write_in_doubt: {
    message: said`${"Acme"} did not say whether it did anything. ${doubtAdvice}`,
    causes: [
      "The connection to the platform broke after the write was sent.",
      "The platform returned an error during the write.",
    ],
  },
  overloaded: {
    message: said`Too many requests are under way.`,
    causes: ["More requests at once than `TENON_MAX_REQUESTS` allows.", "Large searches keep the store busy."],
  },
  shutting_down: {
    message: said`The service is shutting down.`,
    causes: ["The service is being restarted or updated."],
  },
  deadline_exceeded: {
    message: said`${"Acme"} did not respond in time.`,
    causes: [
      "The platform is slow at the moment.",
      "A list with many nested fields takes the platform long.",
      "The service waits for room in the platform's rate limit.",
    ],
  },
  connector_not_configured: {
    message: said`The connector "${"acme"}" cannot be used: ${"ACME_TOKEN is not set"}.`,
    causes: [
      "The variable with the credential is not set in the environment of the service.",
      "Another connector has a credential, so that those without are off. `TENON_SIMULATE` names those to simulate.",
    ],
  },
  store_unusable: {
    message: said`The data directory cannot be used (${"EACCES"}).`,
    causes: [
      "The folder belongs to another user, or is on a disk that is read-only or full.",
      "The folder was made by another version.",
    ],
  },
  accounts_unusable: {
    message: said`The file accounts.sqlite in the data directory ${"cannot be opened"}.`,
    causes: ["The file belongs to another user, or is damaged.", "The secret key is not the one with which the file was made."],
  },
  database_unavailable: {
    message: said`The service waits for its database.`,
    causes: ["PostgreSQL is restarting, fails over, or cannot be reached.", "All its connections are in use."],
  },
  issuer_unavailable: {
    message: said`The issuer of access tokens ${"did not respond"} when its keys were requested.`,
    causes: ["The authorization server is down, or cannot be reached.", "TENON_OAUTH_JWKS_URL is not the address of its keys."],
  },
  search_timeout: {
    message: said`The search took too long. Narrow its filter, or sort by another field.`,
    causes: ["A filter without an index tests many records.", "A pattern begins with `%` on a long text."],
  },
  write_deadline_exceeded: {
    message: said`${"Acme"} did not respond in time. ${doubtAdvice}`,
    causes: ["The platform is slow at the moment, and may still do the write."],
  },
};
