// What an analysis of DiverCity points at on the board.
import { describe, expect, it } from 'vitest';
import { pointed } from '../page/study';

describe('an action points at', () => {
  it('a card of the own hand', () => expect(pointed({ do: 'play', card: 2 })).toEqual({ card: 2 }));
  it('a diver', () => expect(pointed({ do: 'walkie', target: 1 })).toEqual({ target: 1 }));
  it('a hotel and the card that closing it costs', () =>
    expect(pointed({ do: 'close', card: 0, hotel: 'red' })).toEqual({ card: 0, hotel: 'red' }));
  it('a species', () =>
    expect(pointed({ do: 'diver', use: 'diving', species: 'eel' })).toEqual({ species: 'eel' }));
  it('nothing, where it is no species card or no card at all', () => {
    expect(pointed({ do: 'industry', card: 1 })).toEqual({});
    expect(pointed({ do: 'end' })).toEqual({});
  });
});
