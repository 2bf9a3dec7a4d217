import type { Callers } from "../accounts/index.ts";
import type { Admission } from "./client.ts";

/**
 * Admits the stored callers to the routes of this room. The tokens that are given here last long, and open no other routes; those of the
 * service itself open these routes too.
 */
function storedAdmission(callers: Pick<Callers, "admit" | "prove" | "issue">): Admission {
  return {
    admit: (token) => callers.admit(token, ["tenon/compat", "tenon"]),
    prove: (id, secret) => callers.prove(id, secret),
    issue: (client, lifetime) => callers.issue(client, lifetime, "tenon/compat"),
  };
}

/**
 * Admits the client of the settings and the stored callers. A token of the configured client opens the routes of this room only, because
 * nobody else asks here.
 */
export function admissionOfBoth(configured: Admission | undefined, stored: Callers | undefined): Admission {
  const all: readonly Admission[] = [
    ...(configured === undefined ? [] : [configured]),
    ...(stored === undefined ? [] : [storedAdmission(stored)]),
  ];
  /** The admission that proved a client has to issue its token. */
  const provedBy = new WeakMap<object, Admission>();
  return {
    admit: async (token) => {
      for (const one of all) {
        const caller = await one.admit(token);
        if (caller !== undefined) return caller;
      }
      return undefined;
    },
    prove: async (id, secret) => {
      for (const one of all) {
        const client = await one.prove(id, secret);
        if (client === undefined) continue;
        provedBy.set(client, one);
        return client;
      }
      return undefined;
    },
    issue: (client, lifetime) => {
      const one = provedBy.get(client);
      if (one === undefined) throw new Error("the client was not proved here");
      return one.issue(client, lifetime);
    },
  };
}
