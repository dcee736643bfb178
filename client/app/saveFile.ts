/** Downloads a file in the browser. */
export function saveFile({ name, file }: { name: string; file: Blob }): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
