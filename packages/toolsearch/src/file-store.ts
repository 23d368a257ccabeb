export {
  createFileLearningStore,
  type FileLearningStoreOptions,
} from './learning/file-learning-store.ts'
export { createFileStore, type FileStoreOptions } from './stores/file-store.ts'
