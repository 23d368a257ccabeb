/**
 * The first code that runs in the sandbox, in JavaScript. It defines what a script can use, and removes
 * what would make two runs differ. It keeps its own references to everything it needs later, because
 * a script can replace any global and any prototype, including by accident.
 *
 * Evaluates to a function that takes the functions of the gateway and returns those for it.
 */
export const PRELUDE = `
'use strict';
(({ startCall, log, returned, failed, lost }) => {
  const { stringify, parse } = JSON
  const { defineProperty, freeze, fromEntries, setPrototypeOf } = Object
  const { isArray, from } = Array
  const { apply, get: getProperty } = Reflect
  const [BaseError, BasePromise, BaseProxy, BaseMap, BaseSet, BaseDate, Text] = [Error, Promise, Proxy, Map, Set, Date, String]
  const { set: setIn, get: getIn, delete: deleteIn } = Map.prototype
  const { then } = Promise.prototype
  const { filter, join, map, push } = Array.prototype
  const { includes, split } = String.prototype

  const fixed = (target, name, value) =>
    defineProperty(target, name, { value, writable: false, enumerable: false, configurable: false })

  // Two runs of a script with the same results of tools do the same.
  const missing = (what) => () => {
    throw new BaseError(what + ' is not available: scripts have no clock and no randomness. Pass times and values in the script, or get them from a tool.')
  }
  fixed(Math, 'random', missing('Math.random'))
  const now = missing('The current time')
  const FixedDate = function Date(...given) {
    if (!new.target || given.length === 0) now()
    return Reflect.construct(BaseDate, given, new.target === FixedDate ? BaseDate : new.target)
  }
  for (const name of ['parse', 'UTC']) fixed(FixedDate, name, BaseDate[name])
  fixed(FixedDate, 'now', now)
  fixed(FixedDate, 'prototype', BaseDate.prototype)
  fixed(BaseDate.prototype, 'constructor', FixedDate)
  fixed(globalThis, 'Date', FixedDate)
  for (const name of ['performance', 'WeakRef', 'FinalizationRegistry', 'Atomics', 'SharedArrayBuffer', 'gc', 'navigator']) {
    delete globalThis[name]
  }

  /** Whether the last value that was written contains a promise. */
  let hasPromise = false
  /** Values that JSON would lose. */
  const plain = (key, value) => {
    if (typeof value === 'bigint') return Text(value)
    if (typeof value === 'function') return '[function]'
    if (value instanceof BasePromise) {
      hasPromise = true
      return '[promise]'
    }
    if (value instanceof BaseMap) return fromEntries(from(value))
    if (value instanceof BaseSet) return from(value)
    if (value instanceof BaseError) return { name: value.name, message: value.message }
    return value
  }
  // Everything that leaves the sandbox is JSON: other text would be cut off at its first NUL.
  const json = (value) => stringify(value, plain) ?? stringify(Text(value))
  const write = (value) => (typeof value === 'string' ? value : (stringify(value, plain) ?? Text(value)))
  const problem = (name, message, stack) =>
    stringify({ __proto__: null, name: Text(name), message: Text(message), stack: Text(stack) })
  /** Without the frames of this code. */
  const scriptFrames = (stack) =>
    apply(join, apply(filter, apply(split, stack, ['\\n']), [(frame) => apply(includes, frame, ['script.ts'])]), ['\\n'])

  const pending = new BaseMap()
  /** Failed calls, in the order in which they ended. */
  const failures = []
  let count = 0
  let isOver = false

  /**
   * The prototype of the promise of a call. Notices whether anything waits for the promise: \`await\` looks up its
   * constructor, everything else its \`then\`. Reading anything else is a missing \`await\`.
   */
  const promisePrototype = (name, onUse) =>
    new BaseProxy(BasePromise.prototype, {
      get(target, key, promise) {
        if (key === 'constructor' || key === 'then') {
          onUse()
          return key === 'then' ? then : BasePromise
        }
        if (key === 'toJSON') return undefined
        // A text such as "[object Promise]" is never what a script wants.
        const isKnown = typeof key === 'symbol' || (key in target && key !== 'toString')
        if (isKnown) return getProperty(target, key, promise)
        throw new BaseError('tools.' + name + '({ … }) returns a promise. Await it before you use the result.')
      },
      // For \`instanceof\`.
      getPrototypeOf: () => BasePromise.prototype,
    })

  const callTool = (name, args, ...more) => {
    // Created here, so that its stack has the line of the call.
    const error = new BaseError()
    fixed(error, 'name', 'ToolError')
    fixed(error, 'stack', scriptFrames(error.stack))
    const misused = (message) => {
      fixed(error, 'message', message)
      throw error
    }
    const isData = args === undefined || (typeof args === 'object' && args !== null && !isArray(args))
    const data = isData ? stringify(args ?? {}) : undefined
    if (typeof args === 'string' && more.length > 0) misused('Call a tool as a function with its name: tools[' + stringify(args) + ']({ … })')
    if (data === undefined || more.length > 0) misused('Pass the arguments of ' + name + ' as one object: tools.' + name + '({ … })')
    const call = ++count
    const entry = { error, isUsed: false }
    const promise = new BasePromise((resolve, reject) => {
      entry.resolve = resolve
      entry.reject = reject
    })
    setPrototypeOf(promise, promisePrototype(name, () => {
      entry.isUsed = true
    }))
    apply(setIn, pending, [call, entry])
    if (startCall(call, stringify(name), data) === false) misused('The script may make no more calls.')
    return promise
  }

  const settle = (call, isError, given) => {
    const entry = apply(getIn, pending, [call])
    const { error, resolve } = entry
    const reject = (reason) => {
      // Whatever handles it now can no longer tell the model.
      apply(push, failures, [isOver ? { error, isUsed: false } : entry])
      entry.reject(reason)
    }
    apply(deleteIn, pending, [call])
    if (isError) {
      const { message, tool, retryAfterMs } = parse(given)
      fixed(error, 'message', message)
      fixed(error, 'tool', tool)
      if (retryAfterMs !== undefined) fixed(error, 'retryAfterMs', retryAfterMs)
      reject(error)
      return
    }
    resolve(parse(given))
  }

  const listed = () => {
    throw new BaseError('"tools" cannot be listed. Find tools with tool_search, then call them by name.')
  }
  const refused = () => {
    throw new BaseError('"tools" cannot be changed.')
  }
  /** Some models write \`tools.server.tool\` for \`tools.server__tool\`. */
  const toolFunction = (name) =>
    new BaseProxy((...given) => callTool(name, ...given), {
      get: (target, key) => {
        if (key === 'then' || key === 'toJSON') return undefined
        return typeof key === 'symbol' || key in target
          ? getProperty(target, key)
          : toolFunction(name + '__' + key)
      },
    })
  const tools = new BaseProxy(freeze({}), {
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then' || name === 'toJSON'
        ? undefined
        : toolFunction(name),
    has: (_, name) => typeof name === 'string',
    ownKeys: listed,
    set: refused,
    defineProperty: refused,
    deleteProperty: refused,
    setPrototypeOf: refused,
  })
  fixed(globalThis, 'tools', tools)

  const print = (...values) => log(stringify(apply(join, apply(map, values, [write]), [' '])))
  const printer = freeze({ log: print, info: print, warn: print, error: print, debug: print, table: print, dir: print })
  fixed(globalThis, 'console', printer)

  const fail = (error) => {
    try {
      if (!(error instanceof BaseError)) failed(problem('', 'The script threw: ' + write(error), ''))
      else if (isArray(error.errors)) failed(problem(error.name, apply(join, apply(map, error.errors, [Text]), ['; ']), error.stack))
      else failed(problem(error.name, error.message, error.stack))
    } catch {
      failed(problem('', 'The script threw an error that cannot be read.', ''))
    }
  }
  /** Names the failed calls that the script never waited for. */
  const reportLost = () => {
    for (const { error, isUsed } of failures) {
      if (!isUsed) lost(problem(error.name, error.message, error.stack))
    }
  }
  /** Takes an async function, or the promise of a program that runs already. */
  const run = (script, endsWithAwait) => {
    const end = typeof script === 'function'
      ? script()
      : apply(then, script, [({ value }) => {
          if (endsWithAwait) return value
          // Some models write the function itself instead of its body.
          if (typeof value === 'function') return value(tools)
          return value instanceof BasePromise ? value : undefined
        }])
    apply(then, end, [
      (value) => {
        let text
        isOver = true
        hasPromise = false
        try {
          text = value === undefined ? undefined : json(value)
        } catch (error) {
          failed(problem('', 'The returned value cannot be written as JSON: ' + error.message, ''))
          return
        }
        if (hasPromise) {
          failed(problem('', 'The returned value contains a promise. Await it first: use await Promise.all([ … ]) for several.', ''))
          return
        }
        if (text === undefined) returned()
        else returned(text)
      },
      fail,
    ])
  }
  return freeze({ run, settle, reportLost })
})
`
