import type { ToolDefinition } from 'toolsearch'

const fileId = {
  type: 'string',
  description: 'Id of the file or folder. A sharing link is understood too.',
}

const folderId = {
  type: 'string',
  default: 'root',
  description: 'Folder to put it in. "root" is the top of the user\'s own drive.',
}

const page = {
  page_size: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  page_token: { type: 'string', description: 'next_page_token of the previous answer.' },
}

/** Tools of Shelfspace, an imaginary shared drive: documents, folders, sharing. */
export const filesTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__files__search_files',
    description:
      'Search the drive by name and by the text inside documents, PDFs and slides. Use it ' +
      'when you do not know where a file is; use list_folder when you do. Returns name, kind, ' +
      'owner, folder path, last change and link.',
    source: 'mcp:files',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words in the name or in the text.' },
        name_only: { type: 'boolean', default: false },
        kinds: {
          type: 'array',
          uniqueItems: true,
          items: {
            type: 'string',
            enum: [
              'document',
              'spreadsheet',
              'slides',
              'pdf',
              'image',
              'video',
              'archive',
              'folder',
              'other',
            ],
          },
          description: 'Only files of these kinds.',
        },
        owner: { type: 'string', format: 'email' },
        in_folder: { type: 'string', description: 'Search this folder and everything below it.' },
        changed_after: { type: 'string', format: 'date-time' },
        changed_before: { type: 'string', format: 'date-time' },
        shared_with_me: { type: 'boolean', default: false },
        order_by: {
          type: 'string',
          enum: ['relevance', 'last_change', 'name', 'size'],
          default: 'relevance',
        },
        ...page,
      },
      required: ['query'],
    },
    annotations: { title: 'Search files', readOnlyHint: true },
  },
  {
    name: 'mcp__files__list_folder',
    description: 'List what is in a folder of the shared drive, folders first.',
    source: 'mcp:files',
    inputSchema: {
      type: 'object',
      properties: {
        folder_id: { ...folderId, description: 'Folder to list.' },
        include_trashed: { type: 'boolean', default: false },
        ...page,
      },
    },
    annotations: { title: 'List folder', readOnlyHint: true },
  },
  {
    name: 'mcp__files__download_file',
    description:
      'Get the content of a file from the shared drive. Documents are converted to the format ' +
      'asked for; long texts can be read in parts with offset. For rows of a spreadsheet, ' +
      'read_sheet_range is cheaper.',
    source: 'mcp:files',
    inputSchema: {
      type: 'object',
      properties: {
        file_id: fileId,
        format: {
          type: 'string',
          enum: ['original', 'markdown', 'plain', 'pdf', 'csv', 'xlsx', 'docx'],
          default: 'markdown',
        },
        revision: {
          type: 'string',
          description: 'An earlier version, as returned by list_revisions.',
        },
        offset: {
          type: 'integer',
          minimum: 0,
          default: 0,
          description: 'Characters to skip, for text formats.',
        },
        max_characters: { type: 'integer', minimum: 500, maximum: 100000, default: 20000 },
      },
      required: ['file_id'],
    },
    annotations: { title: 'Download file', readOnlyHint: true },
  },
  {
    name: 'mcp__files__upload_file',
    description:
      'Put a file on the shared drive, as a new file or as a new version of an existing one. ' +
      'Markdown, HTML and CSV can be turned into editable documents on the way. Returns the ' +
      'file id and its link.',
    source: 'mcp:files',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 255, description: 'File name with its extension.' },
        content: { type: 'string' },
        encoding: { type: 'string', enum: ['text', 'base64'], default: 'text' },
        media_type: {
          type: 'string',
          description: 'Media type such as "text/csv". Guessed from the name when left out.',
        },
        folder_id: folderId,
        replace_file_id: { type: 'string', description: 'Save as a new version of this file.' },
        convert: {
          type: 'boolean',
          default: false,
          description: 'Make an editable document or spreadsheet of it.',
        },
        if_name_exists: { type: 'string', enum: ['fail', 'rename', 'replace'], default: 'rename' },
      },
      required: ['name', 'content'],
    },
    annotations: { title: 'Upload file', destructiveHint: false },
  },
  {
    name: 'mcp__files__read_sheet_range',
    description: 'Read cells of a spreadsheet as rows. Returns values, and formulas if asked for.',
    source: 'mcp:files',
    searchHint: 'excel csv table cells',
    inputSchema: {
      type: 'object',
      properties: {
        file_id: fileId,
        range: {
          type: 'string',
          description: 'Range such as "Budget!A1:F40". The whole first sheet when left out.',
        },
        values: { type: 'string', enum: ['formatted', 'raw', 'formula'], default: 'formatted' },
        first_row_is_header: {
          type: 'boolean',
          default: true,
          description: 'Return rows as objects named by the first row.',
        },
      },
      required: ['file_id'],
    },
    annotations: { title: 'Read sheet range', readOnlyHint: true },
  },
  {
    name: 'mcp__files__share_file',
    description:
      'Give people, groups or everyone with the link access to a file or folder, or take ' +
      'access away. A folder passes its access on to everything inside. Returns the full list ' +
      'of who has access afterwards.',
    source: 'mcp:files',
    searchHint: 'permissions access link collaborate',
    inputSchema: {
      type: 'object',
      properties: {
        file_id: fileId,
        grants: {
          type: 'array',
          maxItems: 50,
          description: 'Access to give. A person named twice gets the later role.',
          items: {
            type: 'object',
            properties: {
              kind: { type: 'string', enum: ['person', 'group', 'domain', 'anyone_with_link'] },
              address: {
                type: 'string',
                description: 'Email of the person or group, or the domain. Not for a link.',
              },
              role: { type: 'string', enum: ['viewer', 'commenter', 'editor', 'owner'] },
              expires_at: {
                type: 'string',
                format: 'date-time',
                description: 'Access ends by itself. Not for "owner".',
              },
            },
            required: ['kind', 'role'],
          },
        },
        revoke: {
          type: 'array',
          items: { type: 'string' },
          description: 'Email addresses or domains to remove.',
        },
        notify: {
          type: 'boolean',
          default: true,
          description: 'Send an email to those who gain access.',
        },
        message: { type: 'string', maxLength: 1000, description: 'A line for that email.' },
        allow_download: {
          type: 'boolean',
          default: true,
          description: 'Whether viewers may download, print and copy.',
        },
      },
      required: ['file_id'],
    },
    annotations: { title: 'Share file', destructiveHint: true, openWorldHint: true },
  },
  {
    name: 'mcp__files__move_file',
    description: 'Move a file or folder on the shared drive, rename it, or both.',
    source: 'mcp:files',
    inputSchema: {
      type: 'object',
      properties: {
        file_id: fileId,
        folder_id: { type: 'string', description: 'New folder. Stays where it is when left out.' },
        new_name: { type: 'string', maxLength: 255 },
      },
      required: ['file_id'],
    },
    annotations: { title: 'Move file', destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'mcp__files__trash_file',
    description: 'Move a file or folder to the trash, from which it can be restored for 30 days.',
    source: 'mcp:files',
    inputSchema: {
      type: 'object',
      properties: { file_id: fileId },
      required: ['file_id'],
    },
    annotations: { title: 'Trash file', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'mcp__files__list_revisions',
    description:
      'List the saved versions of a file with time, author and size. Pass a version id to ' +
      'download_file to read it.',
    source: 'mcp:files',
    inputSchema: {
      type: 'object',
      properties: { file_id: fileId, ...page },
      required: ['file_id'],
    },
    annotations: { title: 'List revisions', readOnlyHint: true },
  },
]
