// Closers in the order things were opened; close() runs them in reverse, once, each to its end.
// An error in one closer is kept and does not stop the others; close() throws them together at the end.

import { ForgeError } from '#kernel/forge-error.ts';

export type Closer = () => void | Promise<void>;

export class CloseStack {
  readonly #closers: { name: string; close: Closer }[] = [];
  #closing: Promise<void> | undefined;
  #closed = false;

  /**
   * `name` is what the error says when this closer fails.
   * A start that is still going on while close() runs may defer: it closes too.
   * @throws SHUTTING_DOWN when all is closed already; what was to be deferred is closed all the same.
   */
  defer(name: string, close: Closer): void {
    this.#closers.push({ name, close });
    if (!this.#closed) return;
    this.#run().catch(() => {}); // The caller is told below; close() has given its answer.
    throw new ForgeError('SHUTTING_DOWN', { sentence: `${name} came too late` });
  }

  /** Closes everything in reverse order; a second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#run();
    return this.#closing;
  }

  async #run(): Promise<void> {
    const failures: Error[] = [];
    for (let last = this.#closers.pop(); last !== undefined; last = this.#closers.pop()) {
      try {
        await last.close();
      } catch (cause) {
        failures.push(new Error(`closing ${last.name} failed`, { cause }));
      }
    }
    this.#closed = true;
    if (failures.length > 0) throw new AggregateError(failures, 'not everything closed cleanly');
  }
}
