// Who is on an SSH connection: by public key only, whatever the user name. Called by ssh-server.
// Must stay true: a key counts only after its signature over this very session was verified here.

import ssh2 from 'ssh2';
import type { AuthContext, PublicKeyAuthContext } from 'ssh2';
import type { Authenticator } from '#access/authenticate.ts';

/** rsa is named by its key type; which hash it may sign with is decided below. */
const keyTypes = new Set([
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
]);

/** A client offers each key of its agent: more than any person has. */
const maxAttempts = 20;

/** Decides one attempt after the other. */
export class SshAuthentication {
  readonly #authenticator: Authenticator;
  readonly #onTooMany: () => void;
  #attempts = 0;
  #publicKey: Buffer | undefined;

  constructor(authenticator: Authenticator, onTooMany: () => void) {
    this.#authenticator = authenticator;
    this.#onTooMany = onTooMany;
  }

  /** The key that signed in; undefined before. */
  get publicKey(): Buffer | undefined {
    return this.#publicKey;
  }

  get attempts(): number {
    return this.#attempts;
  }

  decide(attempt: AuthContext): void {
    this.#attempts++;
    if (this.#attempts > maxAttempts) {
      this.#onTooMany();
      return;
    }
    if (attempt.method !== 'publickey' || !this.#isKnown(attempt)) {
      attempt.reject(['publickey']);
      return;
    }
    // Without a signature it asks whether the key would do: the answer goes to its owner or tells nothing new.
    if (attempt.signature === undefined) {
      attempt.accept();
      return;
    }
    if (!isSigned(attempt)) {
      attempt.reject(['publickey']);
      return;
    }
    this.#publicKey = Buffer.from(attempt.key.data);
    attempt.accept();
  }

  #isKnown({ key, hashAlgo }: PublicKeyAuthContext): boolean {
    if (!keyTypes.has(key.algo)) return false;
    // Without a hash name it is RSA with SHA-1, which nobody should believe any more.
    if (key.algo === 'ssh-rsa' && hashAlgo !== 'sha256' && hashAlgo !== 'sha512') return false;
    return this.#authenticator.authenticateKey(key.data).kind === 'authenticated';
  }
}

function isSigned({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const parsed = ssh2.utils.parseKey(key.data);
  if (parsed instanceof Error || parsed.type !== key.algo) return false;
  if (blob === undefined || signature === undefined) return false;
  // ssh2 answers false, or an Error for what cannot be verified: only true is yes.
  return (parsed.verify(blob, signature, hashAlgo) as unknown) === true;
}
