export declare function findChromium(): string | undefined
export declare function findPostgres(): string | undefined
export declare function findRedis(): string | undefined
export declare function findNginx(): string | undefined
export declare function findCaddy(): string | undefined
