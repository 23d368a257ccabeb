import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { largeCatalogue } from '../wire/large-catalogue.ts'
import type { Server } from './contender.ts'

const PROGRAM = fileURLToPath(new URL('./many-tools-server.js', import.meta.url))

/** A tool without parameters that every server has. */
export const KNOWN_TOOL: { readonly name: string; readonly description: string } = {
  name: 'say_hello',
  description: 'Says hello to the caller.',
}

/** Servers with `toolsEach` tools each, repeated from the large catalogue of `npm run bench -- wire`. */
export function manyServers(folder: string, servers: number, toolsEach: number): Server[] {
  mkdirSync(folder, { recursive: true })
  const originals = largeCatalogue()
  return Array.from({ length: servers }, (_, server) => {
    const tools: object[] = [{ ...KNOWN_TOOL, inputSchema: { type: 'object', properties: {} } }]
    for (let index = 1; index < toolsEach; index++) {
      const { name, description, inputSchema } = originals[index % originals.length]!
      const copy = Math.floor(index / originals.length)
      const short = name.replace(/^mcp__/, '').slice(0, 50)
      tools.push({ name: copy === 0 ? short : `${short}_${copy + 1}`, description, inputSchema })
    }
    const file = join(folder, `tools-${server + 1}.json`)
    writeFileSync(file, JSON.stringify(tools))
    return { name: `many${server + 1}`, command: process.execPath, args: [PROGRAM, file] }
  })
}
