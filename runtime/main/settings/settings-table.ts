import { logLevels } from "../../base/log-levels.ts";
import { databaseUrl, integer, list, oneOf, text, yesOrNo } from "./readers.ts";

interface Setting<Value> {
  readonly env: string;
  /** Another variable, as hosts of containers set it. It counts where `env` is not set. */
  readonly alias?: string;
  readonly default: Value;
  readonly doc: string;
  /** Reads a text of the environment or a value of the file. It gives the value, or a string that says what is allowed. */
  readonly read: (given: unknown) => { readonly value: Value } | string;
}

/** The form of one secret key. */
export const secretKeyForm = /^[\x21-\x2b\x2d-\x7e]{32,512}$/;

/** Every setting of the service. Its name here is its key in the file of settings; the environment wins over the file. */
export const settingsTable = {
  port: {
    env: "TENON_PORT",
    alias: "PORT",
    default: 8787,
    doc: "Port to listen on; 0 takes any free one. Where it is not set, PORT counts.",
    read: integer(0, 65535),
  },
  host: {
    env: "TENON_HOST",
    alias: "HOST",
    default: "127.0.0.1",
    doc: "Address to listen on. Where it is not set, HOST counts.",
    read: text(/^[\w.:-]+$/, "a host name or an IP address"),
  },
  apiKey: {
    env: "TENON_API_KEY",
    default: "",
    doc: "Bearer token that callers send: at least 16 characters, unless every platform is simulated. Without it the service makes one and shows it once. Commands send it to TENON_URL.",
    read: text(/^[\x21-\x7e]{1,512}$/, "1 to 512 visible ASCII characters without spaces"),
  },
  secretKey: {
    env: "TENON_SECRET_KEY",
    default: [],
    doc: "Secret key that protects the callers and credentials which the service stores: at least 32 random characters, as `openssl rand -base64 32` gives them. Without it, the service and the commands that store such things make one and keep it in the file `secret-key` of the data folder; with a database nothing of that is stored. To replace it, put the new key in front of the old one, with a comma between, until nothing needs the old one any longer.",
    read: list(secretKeyForm, "one or several keys of 32 to 512 visible ASCII characters without commas, with commas between"),
  },
  secretKeyFile: {
    env: "TENON_SECRET_KEY_FILE",
    default: "",
    doc: "File with the secret key, instead of TENON_SECRET_KEY; one key a line, the current one first.",
    read: text(/^[^\0]+$/, "a path"),
  },
  url: {
    env: "TENON_URL",
    default: "",
    doc: "Address of a Tenon service. With it, commands that run actions send them to that service, with TENON_API_KEY or with TENON_CLIENT_ID and TENON_CLIENT_SECRET, instead of running them in their own process.",
    read: text(/^https?:\/\/[^\s?#@]+$/, "an http or https address without user, query and fragment"),
  },
  clientId: {
    env: "TENON_CLIENT_ID",
    default: "",
    doc: "Id of the client that commands are to TENON_URL.",
    read: text(/^[\x21-\x7e]{1,512}$/, "1 to 512 visible ASCII characters without spaces"),
  },
  clientSecret: {
    env: "TENON_CLIENT_SECRET",
    default: "",
    doc: "Secret of that client.",
    read: text(/^[\x21-\x7e]{1,512}$/, "1 to 512 visible ASCII characters without spaces"),
  },
  mcpWrites: {
    env: "TENON_MCP_WRITES",
    default: false,
    doc: "Whether callers of /mcp with the right `write` have a tool that writes.",
    read: yesOrNo,
  },
  policy: {
    env: "TENON_POLICY",
    default: "",
    doc: "File with the policy for writes: rules that allow them, reject them or require an approval, by key, connector, entity, action and field. It is read again when it changes. Without it, every write is sent that its key may send.",
    read: text(/^[^\0]+$/, "a path"),
  },
  approvalHours: {
    env: "TENON_APPROVAL_HOURS",
    default: 24,
    doc: "Hours after which a write that waits for an approval can no longer be approved.",
    read: integer(1, 720),
  },
  approvalWebhook: {
    env: "TENON_APPROVAL_WEBHOOK",
    default: "",
    doc: "Address that gets a POST for each write that waits for an approval, such as `https://hooks.example.com/tenon`: ids and names, and no value of the write. It must be https, and not in a private network unless TENON_ALLOW_PRIVATE_ADDRESSES is true.",
    read: text(/^https?:\/\/[^\s@]+$/, "an https address without user"),
  },
  compatClientId: {
    env: "TENON_COMPAT_CLIENT_ID",
    default: "",
    doc: "Id of a client that may use the routes under /compat, which serve the public Python client of another service. It needs TENON_COMPAT_CLIENT_SECRET. Clients of `tenon client create` may use these routes too.",
    read: text(/^[\x21-\x7e]{1,512}$/, "1 to 512 visible ASCII characters without spaces"),
  },
  compatClientSecret: {
    env: "TENON_COMPAT_CLIENT_SECRET",
    default: "",
    doc: "Secret of that client: at least 16 characters, unless every platform is simulated. Access tokens that were issued for another secret end when it is changed.",
    read: text(/^[\x21-\x7e]{1,512}$/, "1 to 512 visible ASCII characters without spaces"),
  },
  dataDir: {
    env: "TENON_DATA_DIR",
    default: ".tenon",
    doc: "Folder for the files of the service: the context store, the callers, and the hash of its API key.",
    read: text(/^[^\0]+$/, "a path"),
  },
  publicUrl: {
    env: "TENON_PUBLIC_URL",
    default: "",
    doc: "Address at which browsers reach the service, such as https://tenon.example.com. A platform's page sends users back there after they have authorized a connector. Default: the address on which the service listens.",
    read: text(
      /^https?:\/\/[^\s?#@]+[^\s?#@/]$/,
      "an http or https address without a slash at its end, user, query and fragment",
    ),
  },
  oauthIssuer: {
    env: "TENON_OAUTH_ISSUER",
    default: "",
    doc: "Identifier of an authorization server whose access tokens are accepted beside keys and clients, such as `https://login.example.com`. It needs TENON_OAUTH_JWKS_URL and TENON_PUBLIC_URL.",
    read: text(/^https?:\/\/[^\s?#@]+$/, "an http or https address without user, query and fragment"),
  },
  oauthJwksUrl: {
    env: "TENON_OAUTH_JWKS_URL",
    default: "",
    doc: "Address of the public keys of TENON_OAUTH_ISSUER: the `jwks_uri` of its metadata.",
    read: text(/^https?:\/\/[^\s#@]+$/, "an http or https address without user and fragment"),
  },
  oauthAudience: {
    env: "TENON_OAUTH_AUDIENCE",
    default: [],
    doc: "What `aud` of an access token of TENON_OAUTH_ISSUER may be, between commas. Default: TENON_PUBLIC_URL, and the same with /mcp.",
    read: list(/^[\x21-\x2b\x2d-\x7e]{1,512}$/, "texts of visible ASCII characters, between commas"),
  },
  oauthScopes: {
    env: "TENON_OAUTH_SCOPES",
    default: ["tenon:read=read", "tenon:write=write", "tenon:sync=sync"],
    doc: "The right that each scope of an access token of TENON_OAUTH_ISSUER gives, as `scope=right`, between commas. A token without any of them may do nothing.",
    read: list(
      /^[\x21\x23-\x2b\x2d-\x3c\x3e-\x5b\x5d-\x7e]+=(read|write|sync|metrics)$/,
      "scope=right, between commas; rights are read, write, sync and metrics",
    ),
  },
  databaseUrl: {
    env: "TENON_DATABASE_URL",
    default: "",
    doc: "URL of a PostgreSQL database for everything that is stored, such as `postgres://tenon:password@db.example:5432/tenon`. Any number of processes may share it. Without it, everything is in files of the data directory.",
    read: databaseUrl,
  },
  databaseReadUrl: {
    env: "TENON_DATABASE_READ_URL",
    default: "",
    doc: "URL of a replica of that database, for cached searches. They use the database itself while the replica is away or more than 30 seconds behind.",
    read: databaseUrl,
  },
  databaseSqlRole: {
    env: "TENON_DATABASE_SQL_ROLE",
    default: "",
    doc: "Role of that database under which SQL of callers runs: one that owns nothing, and of which the user of TENON_DATABASE_URL is a member. It sees only views of the records. Without it, that user runs them, in read-only transactions.",
    read: text(/^(?:[A-Za-z_][\w$-]{0,62})?$/, "the name of a role: letters, digits, _, - and $"),
  },
  accountsDatabaseUrl: {
    env: "TENON_ACCOUNTS_DATABASE_URL",
    default: "",
    doc: "URL of another PostgreSQL database for the callers, the added connectors and the audit log.",
    read: databaseUrl,
  },
  databaseConnections: {
    env: "TENON_DATABASE_CONNECTIONS",
    default: 10,
    doc: "The most connections of this process to a PostgreSQL database for one purpose: records, searches of a replica, and callers have connections of their own.",
    read: integer(2, 1_000),
  },
  allowPrivateAddresses: {
    env: "TENON_ALLOW_PRIVATE_ADDRESSES",
    default: false,
    doc: "Whether the address of a connector that was added may be in a private network, and those to which subscriptions deliver.",
    read: yesOrNo,
  },
  logLevel: {
    env: "TENON_LOG_LEVEL",
    default: "info",
    doc: `Least level of the lines that are logged: ${logLevels.join(", ")}.`,
    read: oneOf(logLevels),
  },
  timeoutMs: {
    env: "TENON_TIMEOUT_MS",
    default: 30_000,
    doc: "Milliseconds that one request may take.",
    read: integer(100, 600_000),
  },
  shutdownDelayMs: {
    env: "TENON_SHUTDOWN_DELAY_MS",
    default: 0,
    doc: "Milliseconds after SIGTERM, SIGINT or SIGHUP in which requests are still taken while `/readyz` returns 503, so that a load balancer turns away before connections end.",
    read: integer(0, 600_000),
  },
  shutdownMs: {
    env: "TENON_SHUTDOWN_MS",
    default: 35_000,
    doc: "Milliseconds that requests under way have to end after SIGTERM, SIGINT or SIGHUP. Choose more than TENON_TIMEOUT_MS.",
    read: integer(0, 600_000),
  },
  searchTimeoutMs: {
    env: "TENON_SEARCH_TIMEOUT_MS",
    default: 5_000,
    doc: "Milliseconds that one cached search may take.",
    read: integer(10, 600_000),
  },
  syncScopes: {
    env: "TENON_SYNC_SCOPES",
    default: [],
    doc: "Scopes to sync again and again while the service runs, such as `repository=octocat/hello-world,organization=tenon-labs`. Where several connectors have a kind of scope, the connector stands in front: `<connector>:repository=octocat/hello-world`.",
    read: list(/^([a-z][\w-]*:)?[a-z_]+(=[^,\p{Cc}]+)?$/u, "scopes such as repository=octocat/hello-world, between commas"),
  },
  webhookSecrets: {
    env: "TENON_WEBHOOK_SECRETS",
    default: [],
    doc: "Secrets with which platforms sign their webhooks, as `<connector id>=<secret>` with commas between: at least 16 characters, as `openssl rand -hex 32` gives them. While a secret is replaced, an id may stand here twice. Webhooks of a connector without a secret are refused.",
    read: list(
      /^[\w.-]{1,100}=[\x21-\x2b\x2d-\x7e]{16,512}$/,
      "`<connector id>=<secret>` with commas between, each secret 16 to 512 visible ASCII characters without commas",
    ),
  },
  webhookSyncMinutes: {
    env: "TENON_WEBHOOK_SYNC_MINUTES",
    default: 360,
    doc: "Minutes between two scheduled syncs of a scope while webhooks of it come in; 0 syncs it as often as without webhooks. Where none came in for so long, the scope is back on its schedule.",
    read: integer(0, 10_080),
  },
  syncMinutes: {
    env: "TENON_SYNC_MINUTES",
    default: 60,
    doc: "Minutes from the beginning of one scheduled sync to the beginning of the next.",
    read: integer(1, 10_080),
  },
  changesDays: {
    env: "TENON_CHANGES_DAYS",
    default: 7,
    doc: "Days for which the change log keeps a change. Older ones are removed at the end of syncs.",
    read: integer(1, 3_650),
  },
  changesEntries: {
    env: "TENON_CHANGES_ENTRIES",
    default: 1_000_000,
    doc: "The most changes that the change log keeps of one connector instance.",
    read: integer(1_000, 100_000_000),
  },
  simulate: {
    env: "TENON_SIMULATE",
    default: [],
    doc: "Connectors to simulate, between commas, though another connector has a credential. Without any credential every connector that can be simulated is simulated.",
    read: list(/^[a-z][a-z0-9-]*$/, "names of connectors, between commas"),
  },
  embeddings: {
    env: "TENON_EMBEDDINGS",
    default: "static",
    doc: "Model of search by meaning: `static` for the one of this project; `onnx:` and the folder of a sentence transformer, which needs the packages `onnxruntime-node` and `@huggingface/tokenizers`; or the address of an endpoint that speaks OpenAI's interface for embeddings, such as `https://api.example.com/v1/embeddings`. Passages and prompts are sent to it, and nothing else.",
    read: text(
      /^(static|onnx:.{1,4096}|https?:\/\/[^\s@]+)$/,
      "static, onnx: and a folder, or an http(s) address without a user name",
    ),
  },
  embeddingsModel: {
    env: "TENON_EMBEDDINGS_MODEL",
    default: "",
    doc: "Name of the endpoint's model.",
    read: text(/^[\w./:-]{1,100}$/, "a name of 1 to 100 letters, digits and . / : - _"),
  },
  embeddingsDimensions: {
    env: "TENON_EMBEDDINGS_DIMENSIONS",
    default: 0,
    doc: "Dimensions of the endpoint's embeddings.",
    read: integer(1, 4_096),
  },
  embeddingsKey: {
    env: "TENON_EMBEDDINGS_KEY",
    default: "",
    doc: "Key that is sent to the endpoint as `Authorization: Bearer …`.",
    read: text(/^[\x21-\x7e]{1,512}$/, "1 to 512 visible ASCII characters without spaces"),
  },
  embeddingsTimeoutMs: {
    env: "TENON_EMBEDDINGS_TIMEOUT_MS",
    default: 20_000,
    doc: "Milliseconds that one request to the endpoint, or one batch of passages of a transformer, may take.",
    read: integer(100, 600_000),
  },
  embeddingsPerHour: {
    env: "TENON_EMBEDDINGS_PER_HOUR",
    default: 0,
    doc: "The most passages that this process sends to the endpoint within an hour; 0 for no bound. Then the indexing pauses.",
    read: integer(0, 100_000_000),
  },
  maxRequests: {
    env: "TENON_MAX_REQUESTS",
    default: 500,
    doc: "Requests that are processed at once; more get 503.",
    read: integer(1, 100_000),
  },
  maxConnections: {
    env: "TENON_MAX_CONNECTIONS",
    default: 4_000,
    doc: "Connections at once. For one more, a connection on which nothing is done is ended; where there is none, the new one is closed.",
    read: integer(1, 1_000_000),
  },
  maxUnsentMib: {
    env: "TENON_MAX_UNSENT_MIB",
    default: 256,
    doc: "MiB of responses that may wait for callers to read them. For one more, answers are ended whose callers have read nothing for a second; where there is none, it is refused with 503. An answer of at most 64 KiB does not count.",
    read: integer(1, 65_536),
  },
  auditDays: {
    env: "TENON_AUDIT_DAYS",
    default: 90,
    doc: "Days for which the audit log keeps who did what; 0 keeps none.",
    read: integer(0, 3_650),
  },
  auditReads: {
    env: "TENON_AUDIT_READS",
    default: true,
    doc: "Whether the audit log has reads that succeeded. Writes, refused requests and changes of callers and connectors are always in it.",
    read: yesOrNo,
  },
  admin: {
    env: "TENON_ADMIN",
    default: false,
    doc: "Whether there is a page for the operator at /admin, for keys and clients with the right `admin`.",
    read: yesOrNo,
  },
  metricsPort: {
    env: "TENON_METRICS_PORT",
    default: 0,
    doc: "Port on which /metrics is served without a token, besides /metrics on TENON_PORT for callers with the right `metrics`; 0, the default, is none.",
    read: integer(0, 65_535),
  },
  metricsHost: {
    env: "TENON_METRICS_HOST",
    default: "127.0.0.1",
    doc: "Address to listen on for TENON_METRICS_PORT.",
    read: text(/^[\w.:-]+$/, "a host name or an IP address"),
  },
  corsOrigins: {
    env: "TENON_CORS_ORIGINS",
    default: [],
    doc: "Origins of web pages that may call the service, such as `https://app.example`, between commas.",
    read: list(
      /^https?:\/\/[\w.-]+(:\d+)?$|^https?:\/\/\[[\da-f:]+\](:\d+)?$/,
      "origins such as https://app.example, between commas",
    ),
  },
  hosts: {
    env: "TENON_HOSTS",
    default: [],
    doc: "Names in the header `Host` by which /mcp, /admin and metrics on a port of this machine alone may be reached, such as `tenon.example.com`, between commas; IP addresses, `localhost` and the host of TENON_PUBLIC_URL always may. Without it, any name may where TENON_HOST is not an address of this machine alone. It keeps pages away whose name was made to lead here (DNS rebinding).",
    read: list(/^[\w.-]+$/, "host names without ports, between commas"),
  },
  trustProxy: {
    env: "TENON_TRUST_PROXY",
    default: [],
    doc: "Addresses or networks of the proxies in front of the service, such as `10.0.0.0/8`, between commas: only their `X-Forwarded-*` headers count.",
    read: list(/^(loopback|linklocal|uniquelocal|[\da-f.:]+(\/\d{1,3})?)$/, "addresses or networks, between commas"),
  },
  callerRequests: {
    env: "TENON_CALLER_REQUESTS",
    default: 0,
    doc: "Requests of one caller in a minute; more get 429. 0, the default, is 6,000 for keys and clients and no limit for the operator's key.",
    read: integer(0, 1_000_000),
  },
  callerConcurrent: {
    env: "TENON_CALLER_CONCURRENT",
    default: 0,
    doc: "Requests of one caller that are under way at the same time. 0 is 100, and no limit for the operator's key.",
    read: integer(0, 100_000),
  },
  callerWrites: {
    env: "TENON_CALLER_WRITES",
    default: 0,
    doc: "Writes of one caller in a minute. 0 is 60, and no limit for the operator's key.",
    read: integer(0, 1_000_000),
  },
  callerPoints: {
    env: "TENON_CALLER_POINTS",
    default: 0,
    doc: "Points of the platform's own limit that one caller may use in a minute. 0 is 1,000, and no limit for the operator's key.",
    read: integer(0, 1_000_000),
  },
  callerPlatformShare: {
    env: "TENON_CALLER_PLATFORM_SHARE",
    default: 50,
    doc: "Percent that a key or client may use of what other callers have not used of each limit of a platform: calls at once, points, writes. 100 is all of it, as always for the operator's key.",
    read: integer(1, 100),
  },
  callerWaitMs: {
    env: "TENON_CALLER_WAIT_MS",
    default: 10_000,
    doc: "Milliseconds that each call of a key or client to a platform may wait for its turn; one that would wait longer is refused at once with 429. The operator's key waits until TENON_TIMEOUT_MS.",
    read: integer(100, 600_000),
  },
  callerSearchSeconds: {
    env: "TENON_CALLER_SEARCH_SECONDS",
    default: 0,
    doc: "Seconds that the cached searches of one caller may take in a minute, together. 0 is 60, and no limit for the operator's key.",
    read: integer(0, 100_000),
  },
  callerBodyMib: {
    env: "TENON_CALLER_BODY_MIB",
    default: 0,
    doc: "MiB of request bodies, unpacked, that a process reads for one caller in a minute. 0 is 100, and no limit for the operator's key.",
    read: integer(0, 1_000_000),
  },
  callerCpuSeconds: {
    env: "TENON_CALLER_CPU_SECONDS",
    default: 0,
    doc: "Seconds of processor time that a process spends in a minute on reading and checking the requests of one caller, at most a sixth of them at once. 0 is 6, and no limit for the operator's key.",
    read: integer(0, 100_000),
  },
  writeTimeoutMs: {
    env: "TENON_WRITE_TIMEOUT_MS",
    default: 30_000,
    doc: "Milliseconds after which the connection of a caller who stops reading a response is closed.",
    read: integer(100, 600_000),
  },
} satisfies Record<
  string,
  Setting<boolean> | Setting<number> | Setting<string> | Setting<readonly string[]> | Setting<(typeof logLevels)[number]>
>;
