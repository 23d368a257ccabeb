import { closestKey } from './closest-key.ts'
import type { ConfigReader, ObjectReader } from './config-reader.ts'
import { SETTING_RULES } from './rules/setting-rules.ts'

interface HasPins {
  readonly pins?: readonly string[]
}

/** Reads the tools that are listed directly. Reports those of servers that are not in the file. */
export function readPins(
  reader: ConfigReader,
  settings: Pick<ObjectReader<HasPins>, 'get' | 'node' | 'name'>,
  servers: ReadonlySet<string>,
): readonly string[] {
  const pins = settings.get('pins') ?? []
  const items = settings.node('pins')?.children ?? []
  for (const [index, item] of items.entries()) {
    const pin: unknown = item.value
    if (typeof pin !== 'string' || pin.trim() === '') continue
    if (pin.length <= MAX_PIN_LENGTH && hasServer(pin, servers)) continue
    const slash = pin.indexOf('/')
    const closest = slash > 0 ? closestKey(pin.slice(0, slash), servers) : undefined
    const fix = closest ? `Did you mean "${closest}/…"?` : 'Write "server/tool".'
    const name = `item ${index + 1} in ${settings.name('pins')}`
    reader.report(item, `${name} does not name a tool of a server in this file.`, fix)
  }
  return pins
}

const MAX_PIN_LENGTH = SETTING_RULES.properties.pins.maxItemLength!

/** Whether the pin starts with a server's name. Names may contain slashes, so this tries each slash. */
function hasServer(pin: string, servers: ReadonlySet<string>): boolean {
  for (let at = pin.indexOf('/'); at > 0 && at < pin.length - 1; at = pin.indexOf('/', at + 1)) {
    if (servers.has(pin.slice(0, at))) return true
  }
  return false
}
