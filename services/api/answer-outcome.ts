// What the account store decided, as an answer. Called by the routes that write accounts, tokens and keys.

import type { Outcome } from '#entity/account-changes.ts';
import { type ApiAnswer, problem } from '#api/api-route.ts';

/** @param answer of the value, when the change was made. */
export function answerOutcome<T>(outcome: Outcome<T>, answer: (value: T) => ApiAnswer): ApiAnswer {
  return outcome.kind === 'done' ? answer(outcome.value) : problem(outcome.code, outcome.sentence);
}
