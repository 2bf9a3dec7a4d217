import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { connectors } from "../generated/index.ts";
import { settingsTable } from "../runtime/main/settings/settings-table.ts";

// What the containers of compose.yaml may do, and what its processes have in common.

interface Service {
  readonly build?: { readonly args: { readonly NODE_IMAGE: string } };
  readonly image: string;
  readonly tmpfs?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const file = readFileSync(join(import.meta.dirname, "..", "compose.yaml"), "utf8");
const { services } = parse(file, { merge: true }) as { readonly services: Readonly<Record<string, Service>> };
const processes = Object.values(services).filter(({ build }) => build !== undefined);

it.each(Object.entries(services))(
  "the container %s has no capability, cannot change its files, and has limits",
  (_name, service) => {
    expect(service).toMatchObject({
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      read_only: true,
      mem_limit: expect.stringMatching(/^\d+g$/),
      cpus: expect.stringMatching(/^\$\{\w+:-\d+\}$/),
      pids_limit: expect.any(Number),
    });
    expect(service).not.toHaveProperty("privileged");
    expect(service).not.toHaveProperty("cap_add");
    expect(service.tmpfs).toContain("/tmp");
  },
);

it("all processes have the same keys, so that a token of one holds in the others", () => {
  const names = ["apiKey", "secretKey", "compatClientId", "compatClientSecret", "databaseUrl"] as const;
  const keysOf = ({ environment }: Service) => names.map((name) => environment[settingsTable[name].env]);
  expect(processes.length).toBe(3);
  for (const one of processes) {
    expect(keysOf(one)).not.toContain(undefined);
    expect(keysOf(one)).toEqual(processes.map(keysOf)[0]);
  }
});

it("all processes take the credentials of every platform from the operator's environment", () => {
  const names = connectors.flatMap(({ platform: { auth, variables = {} } }) => [
    ...auth.kinds.flatMap(({ values }) => Object.values(values)),
    ...Object.values(variables).map(({ env }) => env),
  ]);
  for (const { environment } of processes)
    expect(environment).toMatchObject(Object.fromEntries(names.map((name) => [name, `\${${name}:-}`])));
});

it("images are named with their digests, and others can be chosen", () => {
  const chosen = (name: string, image: string) =>
    expect.stringMatching(new RegExp(`^\\$\\{${name}:-${image}@sha256:[0-9a-f]{64}\\}$`));
  for (const { build, image } of Object.values(services)) {
    if (build === undefined) expect(image).toEqual(chosen("POSTGRES_IMAGE", "postgres:17"));
    else expect([image, build.args.NODE_IMAGE]).toEqual(["tenon", chosen("NODE_IMAGE", "node:24-bookworm-slim")]);
  }
  const dockerfile = readFileSync(join(import.meta.dirname, "..", "Dockerfile"), "utf8");
  const node = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1];
  for (const { build } of processes) expect(build?.args.NODE_IMAGE).toBe(`\${NODE_IMAGE:-${node}}`);
  const stages = dockerfile.match(/^FROM \S+/gm);
  expect(stages?.every((stage) => /^FROM \$\{NODE_IMAGE\}$/.test(stage))).toBe(true);
});
