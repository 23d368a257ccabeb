import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { GatewaySettings } from './config-file.ts'
import type { ConfigReader, ObjectReader } from './config-reader.ts'
import type { Environment } from './expand-variables.ts'

/** The name under which skills in folders are offered. */
export const LOCAL_SKILLS = 'local'

/** Reads the folders with skills. Reports a server that has the name of their skills. */
export function readSkillFolders(
  reader: ConfigReader,
  settings: Pick<ObjectReader<GatewaySettings>, 'get' | 'node' | 'name'>,
  {
    file,
    env,
    servers,
  }: {
    readonly file: string
    readonly env: Environment
    readonly servers: ReadonlySet<string>
  },
): readonly string[] {
  const folders = settings.get('skills') ?? []
  if (folders.length > 0 && servers.has(LOCAL_SKILLS)) {
    const message = `${settings.name('skills')} and the server "${LOCAL_SKILLS}" would have the same name.`
    reader.report(settings.node('skills')!, message, 'Rename the server.')
  }
  return folders.map((folder) => resolve(dirname(file), withHome(folder, env)))
}

/** People write paths as in a shell. */
function withHome(folder: string, { HOME }: Environment): string {
  return /^~(?:$|[\\/])/.test(folder) ? join(HOME || homedir(), folder.slice(1)) : folder
}
