// Closers in the order things were opened; close() runs them in reverse, once, each to its end.
// An error in one closer is kept and does not stop the others; close() throws them together at the end.

export type Closer = () => void | Promise<void>;

export class CloseStack {
  readonly #closers: { name: string; close: Closer }[] = [];
  #closing: Promise<void> | undefined;

  /** `name` is what the error says when this closer fails. */
  defer(name: string, close: Closer): void {
    this.#closers.push({ name, close });
  }

  /** Closes everything in reverse order; a second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#run();
    return this.#closing;
  }

  async #run(): Promise<void> {
    const failures: Error[] = [];
    for (const { name, close } of this.#closers.toReversed()) {
      try {
        await close();
      } catch (cause) {
        failures.push(new Error(`closing ${name} failed`, { cause }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything closed cleanly');
  }
}
