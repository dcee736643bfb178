import { Component, type ReactNode } from 'react'
import { noteMissingPart } from './build.ts'

/**
 * Hides a part of the frame whose chunk can't be loaded, for example while the server is down, instead of failing the
 * page. The next navigation reloads the page and restores the part.
 */
export class PartBoundary extends Component<{ children: ReactNode }, { isMissing: boolean }> {
  override state: { isMissing: boolean } = { isMissing: false }

  static getDerivedStateFromError = () => ({ isMissing: true })

  override componentDidCatch(): void {
    noteMissingPart()
  }

  override render(): ReactNode {
    return this.state.isMissing ? null : this.props.children
  }
}
