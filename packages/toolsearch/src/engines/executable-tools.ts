import type { ExecuteContext, Tool } from '../catalogue/tool.ts'
import type { EngineReader } from './candidate-engine.ts'

/** Reads tools that the given function executes. A tool is the same object as long as the stored one is. */
export function executableTools(
  engine: EngineReader,
  execute: (tool: Tool, input: Record<string, unknown>, context: ExecuteContext) => unknown,
): EngineReader {
  const known = new WeakMap<Tool, Tool>()
  return {
    get: async (...request) => (await engine.get(...request)).map(executable),
    spelled: async (...request) => (await engine.spelled(...request)).map(executable),
    async startingWith(...request) {
      const { tools, count } = await engine.startingWith(...request)
      return { tools: tools.map(executable), count }
    },
    similar: async (...request) => (await engine.similar(...request)).map(executable),
    candidates: async (...request) => (await engine.candidates(...request)).map(executable),
    terms: (...request) => engine.terms(...request),
    count: (scope) => engine.count(scope),
  }

  function executable(stored: Tool): Tool {
    const tool = known.get(stored) ?? {
      ...stored,
      execute: (input, context) => execute(stored, input, context),
    }
    known.set(stored, tool)
    return tool
  }
}
