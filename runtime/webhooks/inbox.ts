import type { HintStore, VerifiedDelivery } from "../accounts/index.ts";

/** Milliseconds for which a delivery is known, so that it is taken once. Platforms send a delivery again for at most three days. */
const remembered = 7 * 24 * 60 * 60_000;
/** The most deliveries that are stored together. */
const mostTogether = 200;

interface Waiting {
  readonly delivery: VerifiedDelivery;
  readonly stored: (isNew: boolean) => void;
  readonly failed: (why: unknown) => void;
}

/** Stores deliveries. Those that come while others are being stored are stored together, because each transaction waits for the disk. */
export class WebhookInbox {
  readonly #store: HintStore;
  readonly #onHints: () => void;
  readonly #waiting: Waiting[] = [];
  #isStoring = false;

  /** @param onHints called when there is something new to read */
  constructor(store: HintStore, onHints: () => void) {
    this.#store = store;
    this.#onHints = onHints;
  }

  /** Resolves when a delivery is stored. @returns false when it came before @throws TenonError when the store cannot be used */
  receive(delivery: VerifiedDelivery): Promise<boolean> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ delivery, stored, failed });
      if (!this.#isStoring) void this.#storeAll();
    });
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    for (let batch = this.#waiting.splice(0, mostTogether); batch.length > 0; batch = this.#waiting.splice(0, mostTogether)) {
      const now = Date.now();
      try {
        const deliveries = batch.map(({ delivery }) => delivery);
        const added = await this.#store.addHints(deliveries, now, now - remembered);
        for (const [index, { stored }] of batch.entries()) stored(added[index] === true);
        if (batch.some(({ delivery }, index) => added[index] && delivery.hints.length > 0)) this.#onHints();
      } catch (thrown) {
        for (const { failed } of batch) failed(thrown);
      }
    }
    this.#isStoring = false;
  }
}
