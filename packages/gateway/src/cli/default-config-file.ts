import { join } from 'node:path'
import { homeFolder } from '../system/data-folders.ts'

/** The configuration file of the user, which `import` and `add` create. */
export function defaultConfigFile(env: Readonly<Record<string, string | undefined>>): string {
  const configHome = env.XDG_CONFIG_HOME || join(homeFolder(env), '.config')
  return join(configHome, 'toolsearch', 'toolsearch.json')
}

/** What to add to a command so that it uses a file; nothing if it is the default. */
export function configFlag(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (file === defaultConfigFile(env)) return ''
  return ` --config ${/[^\w./\\:@+-]/.test(file) ? JSON.stringify(file) : file}`
}
