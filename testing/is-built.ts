/** Whether `npm test` or `npm run test:deep` runs, so that the packages are built from these sources. */
export const isBuilt: boolean = /^test/.test(process.env.npm_lifecycle_event ?? '')
