import { setFlagsFromString } from 'node:v8'

/** With this many tools or more, memory use matters more than peak speed. */
const MANY_TOOLS = 3_000

/**
 * Makes V8 collect garbage sooner, for the rest of the process, if there are many tools. By default,
 * V8 lets the heap grow in proportion to the live data. With 10,000 tools, which all stay in memory,
 * that costs another 90 MB.
 */
export function tuneGarbageCollection(upstreams: Iterable<{ tools: readonly unknown[] }>): void {
  let tools = 0
  for (const upstream of upstreams) tools += upstream.tools.length
  if (tools >= MANY_TOOLS) setFlagsFromString('--optimize-for-size')
}
