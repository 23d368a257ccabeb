import { answer, between, commitHash, cursor, path, ref, repository } from './coppice-fields.ts'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

/** Tools of Coppice for branches, commits and who wrote what. */
export const historyTools: readonly ServerTool[] = [
  {
    name: 'list_commits',
    description: lines(
      'List commits reachable from a branch, tag or hash, newest first, with hash, author, ' +
        'dates, subject line and check status.',
      'Narrow by path to see the history of one file (renames are followed for single files ' +
        'only), by author to see one person, by dates to see what went in during a window. ' +
        'Bodies and diffs are not included: use get_commit for one commit and compare_refs for ' +
        'a range.',
      'The author date is when the change was written, the committer date when it got onto ' +
        'the branch; since and until look at the latter. check_status sums up all checks of a ' +
        'commit, required or not.',
    ),
    inputSchema: object(
      {
        ...repository,
        ref,
        path,
        author: text('User name, or email address as written in the commit.'),
        committer: text(
          'User name or email of whoever applied the commit. Differs from the author after a ' +
            'rebase or a merge by the host.',
        ),
        message_contains: text('Only commits whose message has this text. Not case-sensitive.', {
          maxLength: 120,
        }),
        merges: choice(
          ['include', 'exclude', 'only'],
          'What to do with commits that have two or more parents.',
          'include',
        ),
        ...between('commits made'),
        ...cursor,
        ...answer([
          'hash',
          'subject',
          'author',
          'committer',
          'authored_at',
          'committed_at',
          'parents',
          'check_status',
          'pull_request',
          'signature',
        ]),
      },
      ['owner', 'repo'],
    ),
    annotations: { title: 'List commits', readOnlyHint: true },
  },
  {
    name: 'get_commit',
    description: lines(
      'Get one commit: full message, author, committer, signature state, parents, changed ' +
        'files and, on request, the patch of each file.',
      'Patches are cut at 400 lines a file and 3,000 lines in all; the answer says which ' +
        'were cut. Pull requests that contain the commit are listed, which is the quickest way ' +
        'from a line of blame to the discussion behind it.',
    ),
    inputSchema: object(
      {
        ...repository,
        commit: commitHash,
        patch: choice(
          ['none', 'stat', 'full'],
          'How much of the change to show: nothing, numbers of lines by file, or the text.',
          'stat',
        ),
        paths: list(path, 'Only these files in the patch. Folders take everything below them.', {
          maxItems: 50,
        }),
        ignore_whitespace: flag('Leave out changes in white space only.', false),
        pull_requests: flag('Name the pull requests this commit arrived by.', true),
        ...answer([
          'hash',
          'message',
          'author',
          'committer',
          'parents',
          'files',
          'stats',
          'signature',
          'pull_requests',
        ]),
      },
      ['owner', 'repo', 'commit'],
    ),
    annotations: { title: 'Get commit', readOnlyHint: true },
  },
  {
    name: 'compare_refs',
    description: lines(
      'Compare two branches, tags or commits: the commits that are in head and not in base, ' +
        'the pull requests they came from, and the files that differ.',
      '',
      'Use it to answer "what shipped between these two releases". Give the older one as ' +
        'base. The comparison starts at the common ancestor (three dots); set direct to ' +
        'compare the two trees as they are (two dots), which is what you want after a force ' +
        'push.',
      '',
      'At most 250 commits and 300 files are listed; totals are always exact. If ' +
        'total_commits is above the list, split the range at a tag in the middle.',
      'Pull requests are found by merge commit, so commits pushed directly to a branch ' +
        'appear without one. Tags made by a release workflow may point at a commit that is not ' +
        'on the default branch; direct is safer then.',
    ),
    inputSchema: object(
      {
        ...repository,
        base: text(
          'Older branch, tag or commit. Write other-owner:branch for a fork in the same network.',
        ),
        head: text('Newer branch, tag or commit, written the same way.'),
        direct: flag(
          'Compare the trees themselves instead of starting at the common ancestor.',
          false,
        ),
        paths: list(path, 'Only commits and files below these paths.', { maxItems: 20 }),
        show: list(
          choice(
            ['commits', 'pull_requests', 'files', 'authors', 'patch'],
            'One part of the comparison.',
          ),
          'Parts to return. "patch" is long: add paths with it.',
          { uniqueItems: true, default: ['commits', 'pull_requests', 'files'] },
        ),
        group_commits_by: choice(
          ['none', 'pull_request', 'author', 'folder'],
          'Fold commits under a heading, for release notes and reviews.',
          'none',
        ),
        ...answer([
          'hash',
          'subject',
          'author',
          'committed_at',
          'pull_request',
          'path',
          'additions',
          'deletions',
          'status',
        ]),
      },
      ['owner', 'repo', 'base', 'head'],
    ),
    annotations: { title: 'Compare refs', readOnlyHint: true },
  },
  {
    name: 'blame_file',
    description:
      'Tell for each line of a file which commit last changed it, when, by whom and through ' +
      'which pull request. Neighbouring lines of one commit are folded. Commits named in the ' +
      '.coppice-blame-ignore file of the repository, such as mass reformatting, are looked ' +
      'through.',
    inputSchema: object(
      {
        ...repository,
        path,
        ref,
        from_line: integer('First line, counted from 1.', { minimum: 1 }),
        to_line: integer('Last line, included. At most 500 lines in one call.', { minimum: 1 }),
        use_ignore_file: flag('Look through the commits the repository asks to ignore.', true),
        ...answer([
          'from_line',
          'to_line',
          'hash',
          'author',
          'committed_at',
          'subject',
          'pull_request',
        ]),
      },
      ['owner', 'repo', 'path'],
    ),
    annotations: { title: 'Blame file', readOnlyHint: true },
  },
  {
    name: 'create_branch',
    description:
      'Create a branch at the tip of another branch, at a tag or at a commit. Fails with ' +
      'name_taken if it exists and with protected_pattern if a rule of the repository ' +
      'reserves the name. No files change; write to the new branch with commit_files.',
    inputSchema: object(
      {
        ...repository,
        branch: text(
          'Name of the new branch, for example "fix/pool-timeout". No spaces, no "..", no ' +
            'trailing slash.',
          { maxLength: 200 },
        ),
        from: ref,
      },
      ['owner', 'repo', 'branch'],
    ),
    annotations: { title: 'Create branch', destructiveHint: false },
  },
]
