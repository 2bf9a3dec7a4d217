import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { app, appKeys } from "../../runtime/simulated/github/grants/app.ts";
import { withProcesses } from "./support/process.ts";

// `tenon connector` as processes, with credentials that get their tokens, beside a service that runs with such a credential itself.

const viewer = JSON.stringify({ entity: "viewer", action: "get", params: { fields: ["login"] } });

describe("commands for connectors with tokens", () => {
  it("let a user authorize a connector on the platform's page, and an app be installed", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const env = {
        TENON_SECRET_KEY: "canary-secret-key-of-the-authorize-tests",
        TENON_DATA_DIR: folder(),
        TENON_API_KEY: "key-of-the-authorize-command-tests",
        GITHUB_API_URL: platform.url,
        GITHUB_APP_ID: app.id,
        GITHUB_APP_PRIVATE_KEY: appKeys().privateKey.replaceAll("\n", "\\n"),
        GITHUB_CLIENT_ID: app.clientId,
        GITHUB_CLIENT_SECRET: app.clientSecret,
      };
      const service = start({ ...env, GITHUB_APP_INSTALLATION_ID: "1001" });
      const url = await service.url();
      const ended = async (...args: string[]) => {
        const running = start({ ...env, TENON_PUBLIC_URL: url }, ["connector", ...args]);
        return { code: await running.exit, out: running.out().trim(), err: running.err() };
      };
      const login = async (id: string) => {
        const headers = { authorization: `Bearer ${env.TENON_API_KEY}`, "content-type": "application/json" };
        const address = `${url}/api/v1/integrations/connectors/${id}/execute`;
        const answer: unknown = await (await fetch(address, { method: "POST", headers, body: viewer })).json();
        return answer;
      };
      const isOctocat = expect.objectContaining({ data: { login: "octocat" } });
      expect(await login("github")).toEqual(isOctocat);

      const place = ["--base-url", platform.url];
      const [user, file] = [
        await ended("add", "github", "--id", "user", "--credential-kind", "user", "--authorize", ...place),
        join(folder(), "app"),
      ];
      expect([user.code, user.out]).toEqual([0, "user"]);
      expect(JSON.parse((await ended("show", "user")).out)).toMatchObject({
        credential_kind: "user",
        status: "authorization_required",
      });
      expect(await login("user")).toMatchObject({ code: "authorization_required" });
      // The settings of the command may name another address than those of the service, such as the one behind a proxy.
      const proxied = start({ ...env, TENON_PUBLIC_URL: `${url}/tenon` }, ["connector", "authorize", "user"]);
      await proxied.exit;
      const page = proxied.out().trim();
      const back = (await fetch(page, { redirect: "manual" })).headers.get("location") ?? "";
      expect(back.startsWith(`${url}/tenon/api/v1/integrations/callback?`)).toBe(true);
      expect(await (await fetch(back.replace("/tenon", ""))).text()).toBe(
        "The connector user is authorized. You can close this window.\n",
      );
      expect(await login("user")).toEqual(isOctocat);

      writeFileSync(file, '{"installation_id":"1001"}');
      const installed = await ended(
        "add",
        "github",
        "--id",
        "bot",
        "--credential-kind",
        "app",
        "--credential-file",
        file,
        ...place,
      );
      expect([installed.code, installed.out, installed.err]).toEqual([
        0,
        "bot",
        expect.stringMatching(/^Used the data folder .*\n$/),
      ]);
      expect(await login("bot")).toEqual(isOctocat);
      const rows = (await ended("list")).out.split("\n").map((line) => JSON.parse(line));
      expect(rows.map(({ id, credential_kind, status }) => [id, credential_kind, status])).toEqual([
        ["bot", "app", "ready"],
        ["user", "user", "ready"],
      ]);
      const wrong = await ended("authorize", "bot");
      expect(wrong.code).toBe(65);
      expect(JSON.parse(wrong.err)["message"]).toContain('of the kind "app", which no user authorizes');
      expect((await ended("authorize", "nobody")).code).toBe(66);
      const audited = start(env, ["audit", "--action", "connector.authorize"]);
      await audited.exit;
      const begun = audited
        .out()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(begun.map(({ target, outcome }) => [target, outcome])).toEqual([["user", "done"]]);

      const said = [service.out(), service.err(), user.err, page, wrong.err].join("");
      for (const secret of [app.clientSecret, appKeys().privateKey.split("\n")[2] ?? "", ...platform.world.grants.tokens.keys()])
        expect(said).not.toContain(secret);
    }));
});
