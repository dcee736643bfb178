/**
 * Limits of the texts of an entry, in bytes of UTF-8. The staging table refuses longer ones. File systems have names of up to 255
 * characters, object stores keys of up to 1,024, and a path has at most 32,768, see `maxPathLength`.
 */
export const entryLimits = {
  name: 4_096,
  path: 131_072,
  /** Owners, groups, storage classes and hashes of contents. */
  word: 1_024,
  linkTarget: 32_768,
  metadataKey: 255,
  metadataValue: 8_192,
  metadataPairs: 1_000,
  /** The parts of a checkpoint. */
  parts: 2 * 1024 * 1024,
} as const

/** Largest size of a file, in bytes; columns have 64 bits. */
export const maxFileSize = 2n ** 63n - 1n

/** Largest number of bytes that is stored, just below 2^63. A sum that reaches it is implausible. */
export const maxStoredBytes = 2 ** 63 - 1024

/** A total as tables store it. */
export const storedBytes = (bytes: number): number => Math.min(bytes, maxStoredBytes)
