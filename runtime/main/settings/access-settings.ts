import { integer, list, text, usualHost, wholeAddress, yesOrNo } from "./readers.ts";
import type { SettingsGroup } from "./setting.ts";

/** The form of one secret key. */
export const secretKeyForm = /^[\x21-\x2b\x2d-\x7e]{32,512}$/;

/** Where the service listens, who may call it, and what callers may write. */
export const accessSettings = {
  port: {
    env: "TENON_PORT",
    alias: "PORT",
    default: 8787,
    doc: "Port to listen on; 0 takes any free one. If it is not set, PORT is used.",
    read: integer(0, 65535),
  },
  host: {
    env: "TENON_HOST",
    alias: "HOST",
    default: "127.0.0.1",
    doc: "Address to listen on. If it is not set, HOST is used.",
    read: text(/^[\w.:-]+$/, "a host name or an IP address", usualHost),
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
    doc: "Secret key that protects the callers and credentials which the service stores: at least 32 random characters, for example from `openssl rand -base64 32`. Without it, the service and the commands that store such things make one and keep it in the file `secret-key` of the data folder; with a database nothing of that is stored. To replace it, put the new key in front of the old one, with a comma between, until nothing needs the old one any longer.",
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
    read: text(/^https?:\/\/[^\s?#@]+$/, "an http or https address without user, query and fragment", wholeAddress),
  },
  clientId: {
    env: "TENON_CLIENT_ID",
    default: "",
    doc: "Id of the client with which commands call TENON_URL.",
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
      wholeAddress,
    ),
  },
  oauthIssuer: {
    env: "TENON_OAUTH_ISSUER",
    default: "",
    doc: "Identifier of an authorization server whose access tokens are accepted in addition to keys and clients, such as `https://login.example.com`. It needs TENON_OAUTH_JWKS_URL and TENON_PUBLIC_URL.",
    read: text(/^https?:\/\/[^\s?#@]+$/, "an http or https address without user, query and fragment", wholeAddress),
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
} satisfies SettingsGroup;
