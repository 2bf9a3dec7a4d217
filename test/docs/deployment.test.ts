import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { apiKey, executePath, until, useTenon } from "../e2e/support/service.ts";
import { freePort } from "../support/postgres/cluster.ts";

// The samples of the page "Docker and deployment", run by the programs that they are for. Where a program is missing, its test is left out.

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "runtime/site/text/deployment.md"), "utf8");
const isMissing = (program: string, ...args: string[]) => spawnSync(program, args).error !== undefined;

/** The one sample of the page that has a text. */
function sampleWith(text: string): string {
  const samples = [...page.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, sample = ""]) => sample);
  const [found, ...more] = samples.filter((sample) => sample.includes(text));
  if (found === undefined || more.length > 0) throw new Error(`${more.length === 0 ? "no" : "several"} samples with ${text}`);
  return found;
}

/** What a sample exports. */
function exportsOf(sample: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...sample.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
}

describe.skipIf(isMissing("nginx", "-v") || isMissing("openssl", "version"))("the sample for nginx", () => {
  const host = "tenon.example.com";
  const exported = exportsOf(sampleWith("TENON_TRUST_PROXY"));
  const at = useTenon({
    trustProxy: (exported["TENON_TRUST_PROXY"] ?? "").split(","),
    hosts: (exported["TENON_HOSTS"] ?? "").split(","),
    publicUrl: exported["TENON_PUBLIC_URL"] ?? "",
    admin: true,
  });
  const folder = mkdtempSync(join(tmpdir(), "tenon-nginx-"));
  let nginx: ReturnType<typeof spawn>;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", `/CN=${host}`, "-days", "2", "-keyout", key, "-out", certificate];
    await promisify(execFile)("openssl", ["req", "-x509", "-newkey", "ed25519", "-nodes", ...subject]);
    const server = sampleWith("proxy_pass")
      .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
      .replace("/etc/ssl/tenon.pem", certificate)
      .replace("/etc/ssl/tenon.key", key)
      .replace("http://127.0.0.1:8787", at.tenon.url);
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
    const file = join(folder, "nginx.conf");
    writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${places.join("\n")}\n${server}}\n`);
    const args = ["-p", folder, "-e", "stderr", "-c", file];
    execFileSync("nginx", [...args, "-t", "-q"]);
    // One process, so that nothing is left when it is ended.
    nginx = spawn("nginx", [...args, "-g", "daemon off; master_process off;"], { stdio: "ignore" });
    await until(() => spawnSync("openssl", ["s_client", "-connect", `127.0.0.1:${port}`], { input: "" }).status === 0);
  });
  afterAll(async () => {
    if (nginx !== undefined && nginx.exitCode === null) {
      nginx.kill();
      await once(nginx, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  });

  interface Answer {
    readonly status: number | undefined;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly text: string;
  }

  interface More {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Address of this machine from which it is sent. */
    readonly from?: string;
    /** Ends the response as soon as this was read. */
    readonly until?: string;
  }

  /** Sends a request over TLS. */
  function send(method: string, path: string, { headers: more, body, from, until }: More = {}): Promise<Answer> {
    const headers = { host, authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...more };
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = request({
      host: "127.0.0.1",
      port,
      servername: host,
      rejectUnauthorized: false,
      method,
      path,
      headers,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    sent.on("error", reject).on("response", (response) => {
      const { statusCode: status, headers } = response;
      let text = "";
      const end = () => resolve({ status, headers, text });
      response
        .setEncoding("utf8")
        .on("end", end)
        .on("data", (piece: string) => {
          text += piece;
          if (until === undefined || !text.includes(until)) return;
          end();
          sent.destroy();
        });
    });
    sent.end(body);
    return promise;
  }

  it("passes requests on", async () => {
    const body = {
      entity: "issues",
      action: "get",
      params: { owner: "octocat", repo: "hello-world", number: 1, fields: ["title"] },
    };
    const { status, text } = await send("POST", executePath, { body: JSON.stringify(body) });
    expect([status, JSON.parse(text)]).toMatchObject([200, { data: { title: "Found a bug" } }]);
  });

  it("keeps the name of the host, by which pages for people are allowed or refused", async () => {
    expect((await send("GET", "/admin")).headers["location"]).toBe("/admin/login");
    expect((await send("GET", "/admin", { headers: { host: "evil.example" } })).status).toBe(403);
  });

  it("says that requests came over TLS, and from which address", async () => {
    const wrong = { headers: { authorization: "Bearer wrong" }, from: "127.0.0.2" };
    const { status, headers } = await send("GET", "/api/v1/integrations/connectors", wrong);
    expect([status, headers["strict-transport-security"]]).toEqual([401, "max-age=31536000"]);
    expect(at.tenon.log.filter((line) => line.includes(wrong.from))).not.toEqual([]);
  });

  it("passes a stream on while it comes", async () => {
    const path = "/api/v1/integrations/connectors/github/changes/stream?entity=issues";
    const { status, text } = await send("GET", path, { until: "\n\n" });
    expect([status, text]).toEqual([200, expect.stringMatching(/^(:|event:|id:|data:)/)]);
  });
});

describe.skipIf(isMissing("systemd-analyze", "--version"))("the samples for systemd", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-systemd-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What systemd says about a unit. Other units of the machine may have faults of their own. */
  function faultsOf(name: string, unit: string) {
    const file = join(folder, name);
    writeFileSync(file, unit);
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
    return [status, stderr.split("\n").filter((line) => line.includes(name))];
  }

  it("have a service without anything that systemd does not know, which starts what there is", () => {
    const unit = sampleWith("ExecStart=/opt");
    const [, command = "", script = "", name] = /^ExecStart=(\S+) (\S+) (\w+)$/m.exec(unit) ?? [];
    expect(command).toMatch(/^\/opt\/tenon\/\.node\/bin\/node$/);
    expect([readFileSync(join(root, script), "utf8").length > 0, name]).toEqual([true, "serve"]);
    expect(faultsOf("tenon.service", unit.replace(command, process.execPath))).toEqual([0, []]);
  });

  it("have a backup each night, whose command makes a folder for each day", () => {
    const service = sampleWith("tenon-backup.service");
    expect(faultsOf("tenon-backup.service", service)).toEqual([0, []]);
    expect(faultsOf("tenon-backup.timer", sampleWith("OnCalendar="))).toEqual([0, []]);
    const [, script = ""] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(service) ?? [];
    const shown = spawnSync("/bin/sh", ["-c", script.replaceAll("%%", "%").replace("exec .node/bin/node", "echo")], {
      encoding: "utf8",
    });
    expect(shown.stdout).toMatch(/^runtime\/cli\/tenon\.js store backup \/var\/backups\/tenon\/\d{4}-\d\d-\d\d\n$/);
  });
});

describe("compose.yaml", () => {
  it("is strict YAML without a key twice", () => {
    const { errors, warnings } = parseDocument(readFileSync(join(root, "compose.yaml"), "utf8"), { merge: true, strict: true });
    expect([errors, warnings]).toEqual([[], []]);
  });
});
