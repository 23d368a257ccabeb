import { answer, cursor, order, page, repository } from './coppice-fields.ts'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

/** Tools of Coppice for repositories as a whole. */
export const repositoryTools: readonly ServerTool[] = [
  {
    name: 'search_repositories',
    description: lines(
      'Find repositories by name, topic, language or owner, when you do not know the exact ' +
        'owner/name the other tools want. Archived repositories and forks are hidden unless ' +
        'asked for.',
      'Returns full name, one-line description, default branch, visibility, main language, ' +
        'last push and owners from the ownership file.',
      'Ranking prefers names over descriptions and lively repositories over quiet ones. The ' +
        'owners come from the ownership file and may be out of date; the newest committers are ' +
        'a second hint on whom to ask.',
    ),
    inputSchema: object(
      {
        query: text(
          'Words from the name, description or read-me. An empty string lists everything ' +
            'that passes the filters.',
        ),
        owner: text('Only repositories of this account or organisation.'),
        topic: list(text('Topic in lower case.'), 'Only repositories with all of these topics.', {
          maxItems: 10,
        }),
        language: text('Main programming language, in lower case.'),
        visibility: choice(
          ['public', 'internal', 'private', 'any'],
          'Who may read the repository.',
          'any',
        ),
        archived: choice(
          ['hide', 'include', 'only'],
          'What to do with archived repositories.',
          'hide',
        ),
        forks: choice(['hide', 'include', 'only'], 'What to do with forks.', 'hide'),
        pushed_after: text('Only repositories with a push since this day.', { format: 'date' }),
        ...order(['relevance', 'pushed', 'created', 'stars', 'name'], 'relevance'),
        ...page,
        ...answer([
          'full_name',
          'description',
          'default_branch',
          'visibility',
          'language',
          'topics',
          'pushed_at',
          'owners',
          'url',
        ]),
      },
      ['query'],
    ),
    annotations: { title: 'Search repositories', readOnlyHint: true },
  },
  {
    name: 'create_repository',
    description: lines(
      'Create a repository under your own account or an organisation that allows it. The ' +
        'organisation may override visibility and merge rules by policy; the answer lists what ' +
        'was overridden.',
      'Ask the user before creating anything public. Names are reserved for 90 days after ' +
        'deletion.',
      'Errors worth handling: name_taken, name_reserved with the day it becomes free, ' +
        'not_allowed (the organisation lets only some teams create repositories; the answer ' +
        'names them), template_not_found.',
    ),
    inputSchema: object(
      {
        owner: text('Account or organisation to create it under. Your own account when left out.'),
        name: text('Name of the repository.', { pattern: '^[A-Za-z0-9._-]{1,100}$' }),
        description: text('One line for the repository list.', { maxLength: 350 }),
        visibility: choice(['private', 'internal', 'public'], 'Who may read it.', 'private'),
        start_with: {
          description: 'First content. An empty repository when left out.',
          oneOf: [
            object(
              {
                template: text(
                  'Template repository as "owner/name". All files of its default branch are ' +
                    'copied, history is not.',
                ),
              },
              ['template'],
            ),
            object(
              {
                readme: flag('Write a read-me with name and description.', true),
                licence: choice(
                  ['mit', 'apache-2.0', 'bsd-3-clause', 'mpl-2.0', 'gpl-3.0', 'proprietary'],
                  'Licence file to add.',
                ),
                gitignore: text('Name of an ignore template, for example "Node".'),
                default_branch: text('Name of the first branch.', { default: 'main' }),
              },
              ['readme'],
            ),
          ],
        },
        merge_methods: list(
          choice(['merge', 'squash', 'rebase'], 'One way to merge.'),
          'Ways of merging that pull requests may use.',
          { minItems: 1, uniqueItems: true, default: ['squash'] },
        ),
        protect_default_branch: object(
          {
            approvals: integer('Approving reviews needed.', { minimum: 0, maximum: 6, default: 1 }),
            required_checks: list(text('Name of the check.'), 'Checks that must pass.'),
            linear_history: flag('Refuse merge commits.', true),
            owners_must_review: flag('Ask the owners named in the ownership file.', false),
          },
          [],
          'Rules for the default branch. None when left out.',
        ),
        features: object(
          {
            issues: flag('Issue tracker.', true),
            wiki: flag('Wiki.', false),
            discussions: flag('Discussions.', false),
            packages: flag('Package registry.', false),
          },
          [],
          'Parts to switch on.',
        ),
        topics: list(
          text('Topic in lower case.', { pattern: '^[a-z0-9-]{1,35}$' }),
          'Topics to file it under.',
          { maxItems: 20 },
        ),
      },
      ['name'],
    ),
    annotations: { title: 'Create repository', destructiveHint: false },
  },
  {
    name: 'list_security_alerts',
    description: lines(
      'List what the scanners of the host found in a repository or a whole organisation: ' +
        'vulnerable dependencies, suspicious code, leaked secrets. Secret values are never ' +
        'returned, only where they are and whether they still work.',
      'Default is open alerts of high and critical severity. Alerts dismissed by a person ' +
        'stay dismissed and carry the reason.',
      'Do not paste details of open alerts into public issues or channels. For a leaked ' +
        'secret the first step is always to revoke it, not to remove it from the history.',
    ),
    inputSchema: object(
      {
        owner: repository.owner!,
        repo: text(
          'One repository. The whole organisation when left out, which needs the security ' +
            'reader role.',
        ),
        kinds: list(
          choice(['dependency', 'code', 'secret'], 'Scanner.'),
          'Which scanners to read.',
          { uniqueItems: true, default: ['dependency', 'code', 'secret'] },
        ),
        severities: list(
          choice(['low', 'medium', 'high', 'critical'], 'Severity.'),
          'Which severities to list. Secrets have none and always pass.',
          { uniqueItems: true, default: ['high', 'critical'] },
        ),
        state: choice(['open', 'fixed', 'dismissed', 'any'], 'Where the alert stands.', 'open'),
        package: text('Only alerts for this dependency, as written in the manifest.'),
        advisory: text('Only this advisory, by its CVE or host identifier.', {
          pattern: '^(CVE-\\d{4}-\\d{4,}|CPA-[0-9a-z-]+)$',
        }),
        reachable_only: flag(
          'Only vulnerable code that this repository calls, where call analysis is available.',
          false,
        ),
        ...order(['created', 'updated', 'severity'], 'severity'),
        ...cursor,
        ...answer([
          'id',
          'kind',
          'severity',
          'state',
          'package',
          'advisory',
          'fixed_in',
          'path',
          'created_at',
          'dismissed_reason',
          'url',
        ]),
      },
      ['owner'],
    ),
    annotations: { title: 'List security alerts', readOnlyHint: true },
  },
]
