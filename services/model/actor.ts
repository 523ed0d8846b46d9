// Who acts. Made by access/authenticate, handed down as an argument, never looked up again.

export type Actor =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'account';
      readonly name: string;
      readonly groups: readonly string[];
      /** Administers this forge: sees and may do everything. */
      readonly operator: boolean;
      /** Signed in with a read-only token: reads what the account may read, changes nothing. */
      readonly readOnly?: boolean;
    };

export const anonymous: Actor = { kind: 'anonymous' };
