import {
  answer,
  commitHash,
  notice,
  page,
  path,
  ref,
  repository,
  safeguards,
} from './coppice-fields.ts'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

/** Tools of Coppice, an imaginary code host, for the files of a repository. */
export const fileTools: readonly ServerTool[] = [
  {
    name: 'search_code',
    description: lines(
      'Search the text of source files in every repository you can read. Use it to learn ' +
        'where a symbol, a setting or an error message occurs. To read the whole file ' +
        'afterwards, use get_file_contents.',
      '',
      'Only the default branch is indexed, files above 1 MB and generated files are left ' +
        'out, and a push takes up to two minutes to appear. If a recent change cannot be ' +
        'found, read the file instead of searching again.',
      '',
      'Query language:',
      '- bare words must all occur in the file, in any order',
      '- "double quotes" match an exact run of characters, punctuation included',
      '- /slashes/ hold a regular expression (RE2, no look-behind)',
      '- NOT word excludes files',
      'Examples: "connection pool exhausted" lang filter go; /max_?idle/ NOT test',
      'Results are ranked by how well names and definitions match, not by date. When the ' +
        'same file occurs in many forks only the original is shown. Unreadable repositories ' +
        'are passed over in silence: no result does not prove that the text is nowhere.',
    ),
    inputSchema: object(
      {
        query: text(
          'What to look for, in the query language above. At least three characters besides ' +
            'operators.',
          { minLength: 3, maxLength: 256 },
        ),
        scope: {
          description:
            'Where to look. Leave out to search everything you can read, which is slow in a ' +
            'large organisation.',
          oneOf: [
            object(
              { owner: text('Search all repositories of this account.') },
              ['owner'],
              'One owner.',
            ),
            object(
              {
                repositories: list(
                  text('Repository as "owner/name".', { pattern: '^[^/]+/[^/]+$' }),
                  'Repositories to search.',
                  { minItems: 1, maxItems: 30 },
                ),
              },
              ['repositories'],
              'Named repositories.',
            ),
          ],
        },
        language: text(
          'Programming language in lower case as the host names it, for example ' +
            '"typescript", "go", "hcl".',
        ),
        path: text('Glob the file path must match, for example "services/**/*.yaml".'),
        exclude_path: text('Glob of paths to leave out, for example "**/vendor/**".'),
        case_sensitive: flag('Tell upper from lower case.', false),
        context_lines: integer('Lines shown before and after each match.', {
          minimum: 0,
          maximum: 10,
          default: 2,
        }),
        matches_per_file: integer('Matches shown from one file.', {
          minimum: 1,
          maximum: 20,
          default: 3,
        }),
        ...page,
        ...answer(['repository', 'path', 'language', 'matches', 'commit', 'url', 'score']),
      },
      ['query'],
    ),
    annotations: { title: 'Search code', readOnlyHint: true },
  },
  {
    name: 'get_file_contents',
    description: lines(
      'Read one file, or list one folder, of a repository at a branch, tag or commit.',
      'A text file comes back as text with its size and blob hash; keep the hash, ' +
        'commit_files wants it when you change the file. A binary file comes back as base64 up ' +
        'to 1 MB, larger ones as a link that works for five minutes. A folder comes back as a ' +
        'list of entries with kind and size, not recursive unless asked.',
      'Ask for a line range when you know where to look: whole files above 2,000 lines are cut.',
      'Large-file pointers are resolved, submodules are not: they come back as the address ' +
        'and commit they point at. not_found is also the answer for repositories you may not ' +
        'read.',
    ),
    inputSchema: object(
      {
        ...repository,
        path: text('Path from the root of the repository. An empty string is the root folder.'),
        ref,
        lines: object(
          {
            from: integer('First line, counted from 1.', { minimum: 1 }),
            to: integer('Last line, included.', { minimum: 1 }),
          },
          ['from'],
          'Part of a text file. Ignored for folders.',
        ),
        recursive: flag('For a folder: list everything below it, at most 5,000 entries.', false),
        follow_links: flag(
          'Resolve symbolic links inside the repository instead of returning their target path.',
          true,
        ),
        ...answer(['content', 'size', 'blob_hash', 'encoding', 'last_commit', 'url']),
      },
      ['owner', 'repo', 'path'],
    ),
    annotations: { title: 'Get file contents', readOnlyHint: true },
  },
  {
    name: 'commit_files',
    description: lines(
      'Write one commit that adds, changes, moves or deletes files on a branch, without a ' +
        'local clone. All changes land together or none does.',
      '',
      'Rules:',
      '- Give expected_head whenever you read the files before: the call then fails with ' +
        'stale_head instead of overwriting what someone pushed in between.',
      '- Content replaces the whole file. To change a few lines, read the file, edit the ' +
        'text, and send all of it; or send edits, which are applied in order and must each ' +
        'match exactly once.',
      '- Protected branches refuse direct commits. Commit to a new branch (start_from ' +
        'creates it) and open a pull request.',
      '- Never send secrets: the content scanner refuses the commit and informs the security team.',
      'Returns the hash of the commit, the link to its diff, and the checks it started.',
      'Errors worth handling: stale_head (read again, then retry), protected_branch (commit ' +
        'to a new branch), edit_not_unique (give more surrounding text), too_large (above 10 ' +
        'MB in all; use a local clone).',
    ),
    inputSchema: object(
      {
        ...repository,
        branch: text('Branch that receives the commit. Must exist unless start_from is given.'),
        start_from: text(
          'Create the branch at this branch, tag or commit first. Refused when the branch exists.',
        ),
        message: object(
          {
            subject: text('First line, in the imperative, without a full stop.', {
              minLength: 1,
              maxLength: 72,
            }),
            body: text('Why the change is made. Wrapped at 72 columns by the server.'),
            trailers: list(
              object(
                {
                  key: text('For example "Co-authored-by" or "Refs".'),
                  value: text('Text after the colon.'),
                },
                ['key', 'value'],
              ),
              'Lines at the end of the message, in this order.',
              { maxItems: 20 },
            ),
          },
          ['subject'],
          'Commit message in parts.',
        ),
        changes: list(
          {
            description: 'What happens to one file. A path may occur once.',
            oneOf: [
              object(
                {
                  action: { const: 'write', description: 'Create the file or replace it.' },
                  path,
                  content: text('Whole new content.'),
                  encoding: choice(['utf-8', 'base64'], 'How content is written down.', 'utf-8'),
                  executable: flag('Set or clear the executable bit. Kept as it is when left out.'),
                },
                ['action', 'path', 'content'],
              ),
              object(
                {
                  action: {
                    const: 'edit',
                    description: 'Replace passages of an existing text file.',
                  },
                  path,
                  edits: list(
                    object(
                      {
                        find: text('Text that occurs exactly once.', { minLength: 1 }),
                        replace: text('Text to put there.'),
                      },
                      ['find', 'replace'],
                    ),
                    'Replacements, applied in order.',
                    { minItems: 1, maxItems: 50 },
                  ),
                },
                ['action', 'path', 'edits'],
              ),
              object(
                {
                  action: { const: 'move', description: 'Rename or move, content unchanged.' },
                  path: text('New path.'),
                  previous_path: text('Path before the move.'),
                },
                ['action', 'path', 'previous_path'],
              ),
              object({ action: { const: 'delete', description: 'Remove the file.' }, path }, [
                'action',
                'path',
              ]),
            ],
          },
          'Changes of this commit.',
          { minItems: 1, maxItems: 200 },
        ),
        author: object(
          { name: text('Name to record.'), email: text('Address to record.', { format: 'email' }) },
          ['name', 'email'],
          'Who wrote the change, when it is not the owner of the token.',
        ),
        expected_head: {
          ...commitHash,
          description: 'Hash the branch must point at, full or its first 7 characters or more.',
        },
        sign: flag('Sign with the key the host holds for you.', true),
        ...safeguards,
        ...notice,
      },
      ['owner', 'repo', 'branch', 'message', 'changes'],
    ),
    annotations: { title: 'Commit files', readOnlyHint: false, destructiveHint: true },
  },
]
