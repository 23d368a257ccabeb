export declare function findChromium(): string | undefined
export declare function findPostgres(): string | undefined
export declare function findRedis(): string | undefined
