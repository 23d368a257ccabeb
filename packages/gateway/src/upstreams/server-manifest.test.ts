import { expect, it, vi } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { SKILLS_EXTENSION } from '../skills/skill-entry.ts'
import type { Connection } from './connection.ts'
import { faultyServer } from './fixtures/servers.fixtures.ts'
import { createServerManifest } from './server-manifest.ts'

const page = (list: string, count: number, nextCursor?: string): JsonObject => ({
  [list]: Array.from({ length: count }, (_, at) => entries[list as keyof typeof entries](at)),
  ...(nextCursor && { nextCursor }),
})
const digest = `sha256:${'0'.repeat(64)}`
const entries = {
  tools: (at: number) => ({ name: `tool_${at}`, inputSchema: { type: 'object' } }),
  skills: (at: number) => {
    const uri = `skill://s${at}/SKILL.md`
    const frontmatter = { name: `s${at}`, description: 'A skill' }
    return { uri, frontmatter, resources: [{ uri, digest, size: 1 }] }
  },
}

it.each(['first', 'second'] as const)(
  'keeps its tools and skills if the connection is closed while it reads the %s page of them',
  async (last) => {
    const onManifest = vi.fn()
    const manifest = createServerManifest(faultyServer(), {
      onManifest,
      onChange: () => {},
      now: Date.now,
    })
    manifest.update({
      era: 'modern',
      capabilities: { tools: {}, extensions: { [SKILLS_EXTENSION]: {} } },
    } as never)
    const answering = (request: (list: string, params: JsonObject) => JsonObject) =>
      ({
        request: async (method: string, params: JsonObject) =>
          request(method.replace('/list', ''), params),
      }) as unknown as Connection
    const complete = answering((list) => page(list, 3))
    await manifest.readTools(complete, 60_000)
    await manifest.readSkills(complete, 60_000)
    onManifest.mockClear()

    const closing = answering((list, { cursor }) => {
      if (last === 'second' && !cursor) return page(list, 1, 'more')
      throw new UpstreamError('closed', 'server', 'The connection to server was closed.')
    })
    await expect(manifest.readTools(closing, 60_000)).rejects.toMatchObject({ code: 'closed' })
    await manifest.readSkills(closing, 60_000)
    expect(manifest.list.tools).toHaveLength(3)
    expect(manifest.skills).toMatchObject({ skills: { length: 3 }, refused: [] })
    expect(onManifest).not.toHaveBeenCalled()
  },
)
