// Lets many who ask for the same thing at once share one computation, without ever getting an answer that was
// begun before they asked: who comes while one runs waits for the next, together.

type Turns<V> = { running: Promise<V>; next: Promise<V> | undefined };

export class Coalescer<V> {
  readonly #turns = new Map<string, Turns<V>>();

  /** The result of a run of `work` that starts at or after this call; a failure goes to all who share it. */
  run(key: string, work: () => Promise<V>): Promise<V> {
    const turns = this.#turns.get(key);
    if (turns === undefined) return this.#start(key, work);
    turns.next ??= turns.running.then(
      () => this.#start(key, work),
      () => this.#start(key, work),
    );
    return turns.next;
  }

  #start(key: string, work: () => Promise<V>): Promise<V> {
    const running = work();
    const turns: Turns<V> = { running, next: undefined };
    this.#turns.set(key, turns);
    const forget = () => {
      if (turns.next === undefined) this.#turns.delete(key);
    };
    running.then(forget, forget);
    return running;
  }
}
