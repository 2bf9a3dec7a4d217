import type { Logger } from "../base/logger.ts";
import type { Proposal } from "../contract/index.ts";
import { fetchFor } from "../platform/address-rules.ts";

/** Milliseconds that one notification may take. */
const patience = 5_000;
/** Notifications that may be under way at once; a further one is only logged. */
const mostAtOnce = 20;

/**
 * Tells a webhook of proposals that wait. The message has ids and names, and no value of a write.
 *
 * @param url https, in a public network unless private ones are allowed
 */
export function webhookNotifier(url: string, allowPrivate: boolean): (proposal: Proposal, log: Logger) => void {
  const send = fetchFor([url], allowPrivate);
  let underWay = 0;
  const post = async ({ idempotency_key: _key, hash: _hash, ...proposal }: Proposal, log: Logger) => {
    const body = JSON.stringify({ event: "proposal.pending", proposal });
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body, redirect: "error" } as const;
    const response = await send(url, { ...init, signal: AbortSignal.timeout(patience) });
    await response.body?.cancel();
    if (!response.ok)
      log.warn({ proposal: proposal.id, status: response.status }, "the webhook for approvals refused a notification");
  };
  return (proposal, log) => {
    const failed = (reason: string) => log.warn({ proposal: proposal.id, reason }, "the webhook for approvals was not notified");
    if (underWay >= mostAtOnce) return failed("too many notifications are under way");
    underWay++;
    post(proposal, log)
      .catch((thrown: unknown) => failed(thrown instanceof Error ? thrown.name : "unknown"))
      .finally(() => underWay--);
  };
}
