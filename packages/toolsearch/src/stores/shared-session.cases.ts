import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { runScript } from './run-script.fixtures.ts'
import type { SessionStore } from './session-store.ts'

/** A store that several processes use. */
export interface SharedStore {
  readonly store: SessionStore
  /** Environment variables for `openStore`. */
  readonly env: Readonly<Record<string, string>>
  /** Further assertions at the end. */
  check?(): void
}

/**
 * The contract of a store whose sessions several processes share. `openStore` is a script that defines
 * `store` and `close` from `env`, and imports our modules from the folder `SOURCE`.
 */
export function itSharesSessions(create: () => SharedStore, openStore: string): void {
  it('keeps all 100 loads that two processes make in one session, and reports each as new once', async () => {
    const { store, env, check } = create()
    const reports = await Promise.all(
      [0, 1].map(async (index) => {
        const child = runScript(openStore + LOAD_TOOLS, { ...env, FIRST: `${index * 50}` })
        const exit = once(child, 'exit')
        const loaded: string[] = []
        for await (const line of createInterface({ input: child.stdout })) {
          loaded.push(...(JSON.parse(line) as string[]))
        }
        expect(await exit).toEqual([0, null])
        return loaded
      }),
    )
    const names = Array.from({ length: 100 }, (_, index) => `tool_${index}`)
    const record = await store.read('shared')
    expect(record?.loaded.map(({ name }) => name).toSorted()).toEqual(
      ['common', ...names].toSorted(),
    )
    expect(reports.flat().toSorted()).toEqual(['common', ...names].toSorted())
    check?.()
  }, 120_000)
}

const LOAD_TOOLS = `
  const { createToolSearch } = await import(SOURCE + '/toolsearch.ts')
  const first = Number(process.env.FIRST)
  const names = Array.from({ length: 50 }, (_, index) => 'tool_' + (first + index))
  const tools = ['common', ...names].map((name) => ({ name }))
  const session = await createToolSearch({ tools, store }).session('shared')
  for (const name of names) {
    const loaded = await session.load(['common', name])
    process.stdout.write(JSON.stringify(loaded) + '\\n')
  }
  await close()
`
