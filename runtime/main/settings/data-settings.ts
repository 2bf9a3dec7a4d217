import { logLevels } from "../../base/log-levels.ts";
import { databaseUrl, integer, list, oneOf, text, wholeAddress, yesOrNo } from "./readers.ts";
import type { SettingsGroup } from "./setting.ts";

/** Databases, waiting times, syncs, webhooks, the change log, and embeddings. */
export const dataSettings = {
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
    doc: "Role of that database under which SQL of callers runs: a role that owns nothing, and that was granted to the user of TENON_DATABASE_URL. It sees only views of the records. Without it, that user runs them, in read-only transactions.",
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
    doc: "The most connections of this process to a PostgreSQL database for one purpose: records, searches of a replica, and callers have separate connections.",
    read: integer(2, 1_000),
  },
  allowPrivateAddresses: {
    env: "TENON_ALLOW_PRIVATE_ADDRESSES",
    default: false,
    doc: "Whether the address of an added connector, and those to which subscriptions deliver, may be in a private network.",
    read: yesOrNo,
  },
  logLevel: {
    env: "TENON_LOG_LEVEL",
    default: "info",
    doc: `Lowest level of the lines that are logged: ${logLevels.join(", ")}.`,
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
    doc: "Milliseconds after SIGTERM, SIGINT or SIGHUP in which the service still accepts requests while `/readyz` returns 503, so that a load balancer stops sending requests before connections end.",
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
    doc: "Scopes to sync on a schedule while the service runs, such as `repository=octocat/hello-world,organization=tenon-labs`. If several connectors have a kind of scope, put the connector before it: `<connector>:repository=octocat/hello-world`.",
    read: list(/^([a-z][\w-]*:)?[a-z_]+(=[^,\p{Cc}]+)?$/u, "scopes such as repository=octocat/hello-world, between commas"),
  },
  webhookSecrets: {
    env: "TENON_WEBHOOK_SECRETS",
    default: [],
    doc: "Secrets with which platforms sign their webhooks, as `<connector id>=<secret>` with commas between: at least 16 characters, as `openssl rand -hex 32` gives them. While a secret is replaced, list both with the same id. Webhooks of a connector without a secret are refused.",
    read: list(
      /^[\w.-]{1,100}=[\x21-\x2b\x2d-\x7e]{16,512}$/,
      "`<connector id>=<secret>` with commas between, each secret 16 to 512 visible ASCII characters without commas",
    ),
  },
  webhookSyncMinutes: {
    env: "TENON_WEBHOOK_SYNC_MINUTES",
    default: 360,
    doc: "Minutes between two scheduled syncs of a scope while webhooks of it arrive; 0 syncs it as often as without webhooks. If none arrives for that long, the scope returns to its schedule.",
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
    doc: "Model of search by meaning: `static` for the one of this project; `onnx:` and the folder of a sentence transformer, which needs the packages `onnxruntime-node` and `@huggingface/tokenizers`; or the address of an endpoint that speaks OpenAI's interface for embeddings, such as `https://api.example.com/v1/embeddings`. Text chunks and prompts are sent to it, and nothing else.",
    read: text(
      /^(static|onnx:.{1,4096}|https?:\/\/[^\s@]+)$/,
      "static, onnx: and a folder, or an http(s) address without a user name",
      wholeAddress,
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
    doc: "Milliseconds that one request to the endpoint, or one batch of text chunks of a transformer, may take.",
    read: integer(100, 600_000),
  },
  embeddingsPerHour: {
    env: "TENON_EMBEDDINGS_PER_HOUR",
    default: 0,
    doc: "The most text chunks that this process sends to the endpoint within an hour; 0 for no limit. Then embedding pauses.",
    read: integer(0, 100_000_000),
  },
} satisfies SettingsGroup;
