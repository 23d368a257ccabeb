export type * from 'toolsearch-gateway/inspection'
