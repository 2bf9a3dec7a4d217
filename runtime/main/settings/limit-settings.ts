import { integer, list, network, sentOrigin, text, usualHost, yesOrNo } from "./readers.ts";
import type { SettingsGroup } from "./setting.ts";

/** Limits of the service and of each caller, the audit log, and the operator's ways in. */
export const limitSettings = {
  maxRequests: {
    env: "TENON_MAX_REQUESTS",
    default: 500,
    doc: "Requests that are processed at once; more get 503.",
    read: integer(1, 100_000),
  },
  maxConnections: {
    env: "TENON_MAX_CONNECTIONS",
    default: 4_000,
    doc: "Connections at once. For one more, a connection on which nothing is done is ended, or one whose caller does not read; where there is none, the new one is closed.",
    read: integer(1, 1_000_000),
  },
  maxUnsentMib: {
    env: "TENON_MAX_UNSENT_MIB",
    default: 256,
    doc: "MiB of responses that may wait for callers to read them; those of one caller may have half of what other callers leave. Beyond that, the service ends responses whose callers have read nothing for a second; if there is none, a new one is refused with 503. A response of at most 64 KiB does not count.",
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
    doc: "Port on which /metrics is served without a token, besides /metrics on TENON_PORT for callers with the right `metrics`; 0, the default, is none. `tenon work` serves no metrics.",
    read: integer(0, 65_535),
  },
  metricsHost: {
    env: "TENON_METRICS_HOST",
    default: "127.0.0.1",
    doc: "Address to listen on for TENON_METRICS_PORT.",
    read: text(/^[\w.:-]+$/, "a host name or an IP address", usualHost),
  },
  corsOrigins: {
    env: "TENON_CORS_ORIGINS",
    default: [],
    doc: "Origins of web pages that may call the service, such as `https://app.example`, between commas.",
    read: list(
      /^https?:\/\/[\w.-]+(:\d+)?$|^https?:\/\/\[[\da-f:]+\](:\d+)?$/,
      "origins such as https://app.example, between commas",
      sentOrigin,
    ),
  },
  hosts: {
    env: "TENON_HOSTS",
    default: [],
    doc: "Names in the header `Host` by which /mcp, /admin and metrics on a port of this machine alone may be reached, such as `tenon.example.com`, between commas; IP addresses, `localhost` and the host of TENON_PUBLIC_URL always may. Without it, any name may where TENON_HOST is not an address of this machine alone. It protects against DNS rebinding, with which a web page makes its own name resolve to this machine.",
    read: list(/^[\w.-]+$/, "host names without ports, between commas"),
  },
  trustProxy: {
    env: "TENON_TRUST_PROXY",
    default: [],
    doc: "Addresses or networks of the proxies in front of the service, such as `10.0.0.0/8`, separated by commas: only their `X-Forwarded-*` headers count.",
    read: list(/^(loopback|linklocal|uniquelocal|[\da-f.:]+(\/\d{1,3})?)$/, "addresses or networks, between commas", network),
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
    doc: "Seconds of processor time that a process spends in a minute on reading and checking the requests of one caller and on making its large responses, at most a sixth of them at once. 0 is 6, and no limit for the operator's key.",
    read: integer(0, 100_000),
  },
  writeTimeoutMs: {
    env: "TENON_WRITE_TIMEOUT_MS",
    default: 30_000,
    doc: "Milliseconds after which the connection of a caller who stops reading a response is closed.",
    read: integer(100, 600_000),
  },
} satisfies SettingsGroup;
