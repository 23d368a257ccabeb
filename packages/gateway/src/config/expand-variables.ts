/** A text with its variables replaced, or the reason why that is not possible. */
export type Expansion =
  | { readonly text: string }
  | { readonly message: string; readonly fix: string }

export type Environment = Readonly<Record<string, string | undefined>>

/** Matches the texts that `expandVariables` accepts, whichever variables are set. */
export const EXPANDABLE: RegExp =
  /^(?:[^$\0]|\$(?!\{)(?!\$\{)|\$\$\{|\$\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*(?::-[^$}]*)?\})*$/

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${env:NAME}`; `$${` is an escaped `${`. As in a shell,
 * the default also replaces an empty variable.
 */
export function expandVariables(text: string, env: Environment): Expansion {
  let expanded = ''
  let from = 0
  for (;;) {
    const at = text.indexOf('${', from)
    if (at < 0) return within(expanded + text.slice(from))
    if (text[at - 1] === '$' && at > from) {
      expanded += `${text.slice(from, at - 1)}\${`
      from = at + 2
      continue
    }
    const end = text.indexOf('}', at)
    if (end < 0) return notAVariable('is never closed')
    const inner = text.slice(at + 2, end)
    const reference = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^$]*))?$/.exec(inner)
    if (!reference) return refused(inner)
    const [, name, fallback] = reference
    const value = Object.hasOwn(env, name!) ? env[name!] : undefined
    if (fallback === undefined && value === undefined) return missing(name!)
    expanded += text.slice(from, at) + (fallback === undefined ? value : value || fallback)
    if (expanded.length > LONGEST) return within(expanded)
    from = end + 1
  }
}

// Linux limits a single argument or environment variable to this length
const LONGEST = 131_071

function within(text: string): Expansion {
  if (text.length <= LONGEST) return { text }
  return {
    message: `is longer than ${LONGEST.toLocaleString('en')} characters`,
    fix: 'Put it into a file and pass the name of the file.',
  }
}

function missing(name: string): Expansion {
  return {
    message: `needs the environment variable ${name}, which is not set`,
    fix: `Set ${name}, or write \${${name}:-default}.`,
  }
}

function refused(inner: string): Expansion {
  if (inner.startsWith('input:')) {
    const id = inner.slice('input:'.length, 60)
    const name = id.toUpperCase().replace(/[^A-Z0-9]+/g, '_') || 'NAME'
    return {
      message: `uses \${input:${id}}, which only VS Code can prompt for`,
      fix: `Set an environment variable and write \${${name}} instead.`,
    }
  }
  if (/^(workspaceFolder|workspaceFolderBasename|userHome|cwd|pathSeparator|\/)$/.test(inner)) {
    return {
      message: `uses \${${inner}}, which only an editor can replace`,
      fix: 'Write the path, or use ${HOME}.',
    }
  }
  return notAVariable('is not followed by a variable name')
}

function notAVariable(why: string): Expansion {
  return {
    message: `contains a \${ that ${why}`,
    fix: 'Write ${NAME} or ${NAME:-default}; $${ is an escaped ${.',
  }
}
