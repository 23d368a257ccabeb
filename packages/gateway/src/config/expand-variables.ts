/** A text with its variables replaced, or the reason why that is not possible. */
export type Expansion =
  | { readonly text: string }
  | { readonly message: string; readonly fix: string }

export type Environment = Readonly<Record<string, string | undefined>>

/** Matches the texts that `expandVariables` accepts, whichever variables are set. */
export const EXPANDABLE: RegExp =
  /^(?:[^$\0]|\$(?!\{)(?!\$\{)|\$\$\{|\$\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*(?::-[^$}]*)?\})*$/

/** The same, with `keepsPersonValues`. */
export const EXPANDABLE_WITH_PERSON: RegExp =
  /^(?:[^$\0]|\$(?!\{)(?!\$\{)|\$\$\{(?!person:)|\$\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*(?::-[^$}]*)?\}|\$\{person:[A-Za-z_][A-Za-z0-9_]*\})*$/

/** Finds the values that each person enters: `${person:NAME}`. */
export const PERSON_VALUE: RegExp = /\$\{person:([A-Za-z_][A-Za-z0-9_]*)\}/g

export interface ExpandOptions {
  /** `${person:NAME}` stays as it is: each person has a value of their own. */
  readonly keepsPersonValues?: boolean
}

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${env:NAME}`; `$${` is an escaped `${`. As in a shell,
 * the default also replaces an empty variable.
 */
export function expandVariables(
  text: string,
  env: Environment,
  { keepsPersonValues = false }: ExpandOptions = {},
): Expansion {
  let expanded = ''
  let from = 0
  for (;;) {
    const at = text.indexOf('${', from)
    if (at < 0) return within(expanded + text.slice(from))
    const isPersonValue = text.startsWith('${person:', at)
    if (text[at - 1] === '$' && at > from) {
      // it would look the same as one that is not escaped
      if (isPersonValue && keepsPersonValues) return escapedPersonValue()
      expanded += `${text.slice(from, at - 1)}\${`
      from = at + 2
      continue
    }
    const end = text.indexOf('}', at)
    if (end < 0) return notAVariable('is never closed')
    const inner = text.slice(at + 2, end)
    if (keepsPersonValues && /^person:[A-Za-z_][A-Za-z0-9_]*$/.test(inner)) {
      expanded += text.slice(from, end + 1)
      from = end + 1
      continue
    }
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

function escapedPersonValue(): Expansion {
  return {
    message: 'contains an escaped ${person:…}, which is not supported',
    fix: 'Remove one $ for a value that each person enters.',
  }
}

function refused(inner: string): Expansion {
  if (inner.startsWith('person:')) {
    return {
      message: 'cannot use ${person:…}',
      fix: 'Write ${person:NAME} in "env" or "headers" of a server; NAME has letters, digits and "_".',
    }
  }
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
