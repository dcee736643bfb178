import { Component, type ReactNode } from 'react'
import { noteMissingPart } from './build.ts'

/**
 * Keeps a part of the frame whose program cannot be loaded, as while the server is away, from taking the page with it. It is left out
 * until the page is loaded anew, which the next navigation does.
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
