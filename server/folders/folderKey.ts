/** Where the row of a folder stands: under the path of what lies in its parent, by its name. */
type FolderKey = { parentPath: string; name: string }

/** The key of a folder by its path; both parts of a volume's own root are empty. A slash at the end means nothing. */
export function keyOf(path: string): FolderKey {
  const whole = path.endsWith('/') ? path.slice(0, -1) : path
  const nameAt = whole.lastIndexOf('/') + 1
  return { parentPath: whole.slice(0, nameAt), name: whole.slice(nameAt) }
}
