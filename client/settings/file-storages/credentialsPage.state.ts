import { proxy } from 'valtio'

export const credentialsSizes = [10, 25, 50, 100, 500] as const
const usualSize = 10
const key = 'numberOfElementsOnPremisesCredentials'

/** How many credentials a page has, as this browser remembers it. */
export const credentialsPage = proxy({ size: read() })

export function chooseCredentialsSize(size: number): void {
  credentialsPage.size = size
  localStorage.setItem(key, String(size))
}

function read(): number {
  const kept = Number(localStorage.getItem(key))
  return credentialsSizes.find((size) => size === kept) ?? usualSize
}
