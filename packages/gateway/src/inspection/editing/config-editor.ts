import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { ConfigEditError, editConfig } from '../../config/edit-config.ts'
import type { GatewayConfig } from '../../config/gateway-config.ts'
import { readConfig } from '../../config/read-config.ts'
import type { FileChanges } from '../../system/file-changes.ts'
import { createSerialQueue } from '../../system/serial-queue.ts'
import type { ConfigChangeList, ConfigChangeReport, ConfigEdit, ConfigUndoReport } from '../api.ts'
import { RequestError } from '../read-request.ts'
import { lineDiff } from './line-diff.ts'
import { planConfigEdit } from './plan-config-edit.ts'
import { redactConfigText } from './redact-config-text.ts'

/** Edits the configuration file that a running gateway follows. Its methods throw RequestError. */
export interface ConfigEditor {
  /** Says what an edit would change, without writing it. */
  preview(edit: ConfigEdit): Promise<ConfigChangeReport>
  apply(edit: ConfigEdit): Promise<ConfigChangeReport>
  undo(id: string): Promise<ConfigUndoReport>
  list(): Promise<ConfigChangeList>
  /** Whether a change by a person is being written and applied now. */
  readonly isEditing: boolean
}

export interface ConfigEditorOptions {
  readonly file: string
  /** The variables that replace `${NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly changes: FileChanges
  /** The settings and the servers that the gateway uses. They follow the file. */
  readonly current: () => { config: GatewayConfig; servers: Iterable<string> }
  /** How long to wait for the gateway to follow. @default 5_000 */
  readonly waitMs?: number
}

const POLL_MS = 20

export function createConfigEditor({
  file,
  env,
  changes,
  current,
  waitMs = 5_000,
}: ConfigEditorOptions): ConfigEditor {
  const edits = createSerialQueue()
  let running = 0

  function edit<Result>(task: () => Promise<Result>): Promise<Result> {
    return edits.run(async () => {
      running += 1
      try {
        return await task()
      } finally {
        running -= 1
      }
    })
  }

  async function plan(edit: ConfigEdit) {
    const before = await readText()
    const { title, edits } = planConfigEdit(before, edit)
    const after = edited(before, edits)
    const read = readConfig(after, { file, env })
    if ('problems' in read) {
      const { line, message, fix } = read.problems[0]!
      const place = edits.length === 0 ? 'has an error' : 'would have an error'
      throw new RequestError(
        409,
        `The configuration file ${place} in line ${line}: ${message} ${fix}`,
      )
    }
    const diff = lineDiff(redactConfigText(before), redactConfigText(after))
    return { title, before, after, config: read.config, diff }
  }

  /** Waits until the gateway uses the settings of the file. */
  async function isApplied(wanted: GatewayConfig, overridden: ReadonlySet<string>) {
    const end = Date.now() + waitMs
    for (;;) {
      if (isInUse(wanted, overridden)) return true
      if (Date.now() >= end) return false
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  function isInUse(wanted: GatewayConfig, overridden: ReadonlySet<string>): boolean {
    const { config, servers } = current()
    const enabled = wanted.servers.filter(({ disabled }) => !disabled).map(({ name }) => name)
    if (!isDeepStrictEqual(new Set(servers), new Set(enabled))) return false
    return differences(config, wanted).every((key) => overridden.has(key))
  }

  /** Settings that the command line overrides: they differ although nobody edited the file. */
  async function overriddenSettings(text: string): Promise<ReadonlySet<string>> {
    const read = readConfig(text, { file, env })
    if ('problems' in read) return new Set()
    const keys = differences(current().config, read.config)
    return new Set(keys.filter((key) => key !== 'servers'))
  }

  async function readText(): Promise<string> {
    try {
      return await readFile(file, 'utf8')
    } catch (error) {
      const { message } = error as Error
      throw new RequestError(409, `The configuration file cannot be read: ${message}.`)
    }
  }

  return {
    get isEditing() {
      return running > 0
    },
    async preview(wanted) {
      const { title, diff } = await plan(wanted)
      return { title, file, diff, isApplied: false }
    },
    apply: (wanted) =>
      edit(async () => {
        const { title, before, after, config, diff } = await plan(wanted)
        const overridden = await overriddenSettings(before)
        if (before === after) return { title, file, diff, isApplied: isInUse(config, overridden) }
        const { id } = await changes.write(title, [{ file, text: after }]).catch(rejectWrite)
        return { title, file, diff, undo: id, isApplied: await isApplied(config, overridden) }
      }),
    undo: (id) =>
      edit(async () => {
        const known = (await changes.list()).find((change) => change.id === id)
        // Changes of other files are not for the page to undo.
        if (!known?.files.includes(file)) {
          throw new RequestError(404, 'This change was already undone, or is too old.')
        }
        const overridden = await overriddenSettings(await readText())
        const undone = await changes.undo(id).catch(rejectWrite)
        if (!undone) throw new RequestError(404, 'This change was already undone.')
        if ('conflict' in undone) {
          const message = `${undone.conflict.join(', ')} changed since. Undo the later changes first, or edit the file.`
          throw new RequestError(409, message)
        }
        const read = readConfig(await readText(), { file, env })
        const applied = 'config' in read && (await isApplied(read.config, overridden))
        return { ...undone, isApplied: applied }
      }),
    async list() {
      const all = await changes.list()
      return { changes: all.filter(({ files }) => files.includes(file)) }
    },
  }
}

function edited(text: string, edits: Parameters<typeof editConfig>[1]): string {
  try {
    return editConfig(text, edits)
  } catch (error) {
    if (!(error instanceof ConfigEditError)) throw error
    throw new RequestError(409, `The configuration file cannot be edited. ${error.message}`)
  }
}

function rejectWrite(error: unknown): never {
  throw new RequestError(409, (error as Error).message)
}

function differences(a: GatewayConfig, b: GatewayConfig): string[] {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof GatewayConfig>
  return [...keys].filter((key) => !isDeepStrictEqual(a[key], b[key]))
}
