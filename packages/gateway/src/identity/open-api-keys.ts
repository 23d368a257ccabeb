import { join } from 'node:path'
import { fingerprint } from '../system/fingerprint.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { createFileKeyStore } from './file-key-store.ts'

export interface OpenApiKeysOptions {
  /** The configuration file: each has keys of its own. */
  readonly file: string
  readonly stateFolder: string
}

/** Opens the API keys of a gateway. */
export function openApiKeys({ file, stateFolder }: OpenApiKeysOptions): ApiKeys {
  return createApiKeys(createFileKeyStore(join(stateFolder, 'keys', `${fingerprint(file)}.json`)))
}
