import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { atomicWrite, PRIVATE_MODE } from '../system/atomic-write.ts'
import { watchFolder } from '../system/watch-file.ts'
import { withLock } from '../system/with-lock.ts'
import type { DpopKey } from './dpop-key.ts'

/** A stored sign-in. All of it is secret. */
export interface StoredSignIn {
  readonly tokens?: StoredOAuthTokens
  /** The client that the gateway has registered with the authorization server, if any. */
  readonly client?: StoredOAuthClientInformation
  /** The key that the tokens are bound to, if they are. */
  readonly dpopKey?: DpopKey
  /** Scopes that the server has required since, and that the tokens do not include. */
  readonly wantedScope?: string
}

/** Identifies a sign-in by name and URL: the same name with a different URL is a different server. */
export interface SignInKey {
  readonly name: string
  readonly url: string
}

/** The sign-ins of one owner: the user of this machine, or a person who uses a gateway for a team. */
export interface OwnedSignIns {
  /** Undefined if there is no readable sign-in. Rejects if the store cannot be reached. */
  read(key: SignInKey): Promise<StoredSignIn | undefined>
  /** Runs one task at a time across processes: many refresh tokens can be used only once. */
  withLock<Result>(key: SignInKey, task: (locked: LockedSignIn) => Promise<Result>): Promise<Result>
}

/** A sign-in that no other process changes at the moment. */
export interface LockedSignIn {
  /** Aborted when the lock is lost. Undefined if the lock cannot be lost. */
  readonly signal?: AbortSignal
  read(): Promise<StoredSignIn | undefined>
  /**
   * Resolves to false, and stores nothing, if another process has changed the sign-in since `read`: a
   * process that was suspended may have lost its lock. Rejects if the sign-in cannot be stored.
   */
  write(signIn: StoredSignIn): Promise<boolean>
}

/**
 * Stores sign-ins that apply to everybody who uses a gateway: in a folder, shared by all gateways of one
 * user, or in PostgreSQL. `sign-in-store.cases.ts` is the contract.
 */
export interface SignInStore extends OwnedSignIns {
  /** Rejects if the sign-in cannot be stored. */
  write(key: SignInKey, signIn: StoredSignIn): Promise<void>
  /** Resolves with whether there was a sign-in. */
  remove(key: SignInKey): Promise<boolean>
  /**
   * Runs the listener after another process may have changed a sign-in. It must not reject. Returns a
   * function that stops it.
   */
  onChange(listener: () => void | Promise<void>): () => void
}

/** Stores sign-ins in files. */
export interface SignInFiles extends SignInStore {
  readonly folder: string
}

const FORMAT = 1

/** Stores each sign-in in its own file, which only the user can read. */
export function createSignInStore(folder: string): SignInFiles {
  const fileOf = ({ name, url }: SignInKey) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([name, url]))
      .digest('hex')
    return join(folder, `${hash.slice(0, 32)}.json`)
  }

  async function read(key: SignInKey): Promise<StoredSignIn | undefined> {
    try {
      const { format, name, url, ...signIn } = JSON.parse(await readFile(fileOf(key), 'utf8'))
      return format === FORMAT && name === key.name && url === key.url ? signIn : undefined
    } catch {
      return undefined
    }
  }

  async function write(key: SignInKey, signIn: StoredSignIn): Promise<void> {
    const { name, url } = key
    const text = JSON.stringify({ format: FORMAT, name, url, ...signIn })
    await atomicWrite(fileOf(key), text, { mode: PRIVATE_MODE })
  }

  return {
    folder,
    read,
    write,
    async remove(key) {
      return rm(fileOf(key)).then(
        () => true,
        () => false,
      )
    },
    withLock: (key, task) =>
      withLock(`${fileOf(key)}.lock.d`, () =>
        task({ read: () => read(key), write: (signIn) => write(key, signIn).then(() => true) }),
      ),
    onChange(listener) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
      } catch {
        // polling notices when the folder appears
      }
      return watchFolder(folder, listener).close
    },
  }
}
