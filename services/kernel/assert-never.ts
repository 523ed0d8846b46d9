// Ends a switch over a union, so that a new member is a type error where it is not handled.

/** Never returns; reaching it means a value outside its type. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
