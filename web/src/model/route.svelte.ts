// Where we are: the part of the address after '#'. Secrets stay there, which no browser sends anywhere.

class Route {
  path = $state(location.hash.slice(1) || '/');

  constructor() {
    addEventListener('hashchange', () => (this.path = location.hash.slice(1) || '/'));
  }

  get parts(): string[] {
    return this.path
      .split('/')
      .filter((p) => p !== '')
      .map(decodeURIComponent);
  }

  go(path: string): void {
    location.hash = path;
  }

  /** As go, without leaving the present address in the history: for links that carry a secret. */
  replace(path: string): void {
    history.replaceState(null, '', `#${path}`);
    this.path = path;
  }
}

export const route = new Route();
