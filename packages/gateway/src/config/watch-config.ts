import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type WatchOptions, watchFile } from '../system/watch-file.ts'
import { type ChangedSettings, changedSettings } from './changed-settings.ts'
import type { ConfigProblem } from './config-problem.ts'
import type { Environment } from './expand-variables.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { readConfigFile, unreadable } from './load-config.ts'
import { readConfig } from './read-config.ts'

export type ConfigChange =
  | {
      readonly kind: 'changed'
      readonly config: GatewayConfig
      /** Undefined if the text before is not known. */
      readonly settings: ChangedSettings | undefined
    }
  /** The edit is invalid; the previous configuration stays in use. */
  | { readonly kind: 'refused'; readonly problems: readonly ConfigProblem[] }

export interface WatchConfigOptions extends WatchOptions {
  /** The configuration in use. If the file has changed since it was read, `onChange` is called. */
  readonly config: GatewayConfig
  readonly env: Environment
}

export interface ConfigWatch {
  /** The configuration in use: the last valid one. */
  readonly config: GatewayConfig
  /** `onChange` is not called again once this returns. */
  close(): void
}

/**
 * Calls `onChange` when the content of a configuration file changes, once for each edit that makes a
 * difference. Calls never overlap; `onChange` must not throw. Does not keep the process alive.
 */
export function watchConfig(
  file: string,
  onChange: (change: ConfigChange) => void,
  { config, env, debounceMs = 100, ...options }: WatchConfigOptions,
): ConfigWatch {
  const path = resolve(file)
  let current = config
  /** The text of the configuration in use. Read at once: the first edit may come before the first check. */
  let accepted = textOf(config)
  /** The text of the last edit that was reported or found equal; undefined for an unreadable file. */
  let handled: { readonly text: string | undefined } | undefined =
    accepted === undefined ? undefined : { text: accepted }
  let wasRejected = false
  let closed = false
  const watch = watchFile(path, check, { debounceMs, ...options })
  watch.check()

  return {
    get config() {
      return current
    },
    close() {
      closed = true
      watch.close()
    },
  }

  /** The text of the file, if it still contains this configuration. */
  function textOf(config: GatewayConfig): string | undefined {
    try {
      const text = readFileSync(path, 'utf8')
      const result = readConfig(text, { file, env })
      return 'config' in result && isDeepStrictEqual(result.config, config) ? text : undefined
    } catch {
      return undefined
    }
  }

  async function check(): Promise<void> {
    const read = await readConfigFile(path)
    const text = 'text' in read ? read.text : undefined
    if (closed || (handled && handled.text === text)) return
    const result =
      'text' in read ? readConfig(read.text, { file, env }) : unreadable(file, read.error)
    const next = 'config' in result ? result.config : acceptable(result.usable)
    if ('problems' in result && !next) {
      // the file may be half-written, or missing for a moment during a rename
      if (!(await isStill(text)) || closed) return
      handled = { text }
      wasRejected = true
      onChange({ kind: 'refused', problems: result.problems })
      return
    }
    handled = { text }
    const before = accepted
    accepted = text
    // after a rejected edit, also report an edit that restores the configuration in use
    if (isDeepStrictEqual(current, next) && !wasRejected) return
    wasRejected = false
    current = next!
    const settings =
      before === undefined || text === undefined ? undefined : changedSettings(before, text)
    onChange({ kind: 'changed', config: current, settings })
  }

  /** An edit must not stop a server that works. Other servers may have problems. */
  function acceptable(usable: GatewayConfig | undefined): GatewayConfig | undefined {
    const working = new Set(
      current.servers.filter((server) => !server.problems).map(({ name }) => name),
    )
    const isHarmful = usable?.servers.some((server) => server.problems && working.has(server.name))
    return isHarmful ? undefined : usable
  }

  async function isStill(text: string | undefined): Promise<boolean> {
    await new Promise<void>((done) => setTimeout(done, debounceMs).unref())
    const again = await readConfigFile(path)
    const isSame = ('text' in again ? again.text : undefined) === text
    if (!isSame) watch.check()
    return isSame
  }
}
