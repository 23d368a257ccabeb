export declare function packPackages(folder: string): void
