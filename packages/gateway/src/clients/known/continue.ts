import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientFile, KnownClient } from '../known-client.ts'
import { defined, milliseconds, objectAt, typedEntry, under } from './client-parts.ts'

export const continueDev: KnownClient = {
  id: 'continue',
  label: 'Continue',
  files({ home, cwd }) {
    const user = join(home, '.continue')
    const project = join(cwd, '.continue')
    return [
      { file: join(user, 'config.yaml') },
      ...blocksIn(join(user, 'mcpServers')).map((file) => ({ file })),
      ...blocksIn(join(project, 'mcpServers')).map((file): ClientFile => ({ file, project: cwd })),
    ]
  },
  isList: true,
  // a list in YAML, an object in the JSON files of other clients that people copy into the folder
  groups: under('mcpServers'),
  // `${{ secrets.NAME }}`, handled below
  variables: /^\{/,
  convert(entry) {
    const secret = /\$\{\{\s*([^}]*?)\s*\}\}/.exec(JSON.stringify(entry))?.[1]
    if (secret !== undefined) {
      const reason = `Continue stores its value of \${{ ${secret} }}. Add the server with the value instead.`
      return { reason }
    }
    const { type, command, args, env, cwd, url, headers, connectionTimeout } = entry
    const requestHeaders = objectAt(entry, 'requestOptions').headers
    const limits = milliseconds(Number(connectionTimeout) / 1_000)
    return {
      entry: defined({
        type,
        command,
        args,
        env,
        cwd,
        url,
        headers: headers ?? requestHeaders,
        toolsearch: limits === undefined ? undefined : { limits: { connectMs: limits } },
      }),
    }
  },
  entry(gateway) {
    if (!('url' in gateway)) return typedEntry('')(gateway)
    const { url, headers } = gateway
    return { type: 'streamable-http', url, ...(headers && { requestOptions: { headers } }) }
  },
}

function blocksIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.(ya?ml|json)$/.test(name))
    return names.sort().map((name) => join(folder, name))
  } catch {
    return []
  }
}
