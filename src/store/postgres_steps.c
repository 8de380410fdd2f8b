/*
 * postgres_steps.c: the tables and functions in the database: the first version of them, and each
 * change since.
 */
#include "store/postgres.h"

/*
 * Nearly everything is found by the table's id, so the data could be spread over several machines.
 * The exceptions are lists, and codes, which have a table of their own for that reason. There are
 * no foreign keys: only these functions write.
 *
 * The row of a table has the number of its last event. To write the next event, a program updates
 * that row first: so of two programs one waits for the other, and then finds that its number is
 * taken.
 */
const char *const st__pg_schema[] = {
    /* 1 */
    "CREATE TABLE fathom.program (version integer NOT NULL);"
    "INSERT INTO fathom.program VALUES (0);"

    "CREATE TABLE fathom.tables ("
    " id uuid PRIMARY KEY,"
    " n bigint GENERATED ALWAYS AS IDENTITY," /* increases: the newest table has the largest */
    " last_seq bigint NOT NULL,"
    " deadline_ms bigint NOT NULL,"
    " claimed_ms bigint NOT NULL DEFAULT 0," /* when its keeper got it by fathom.beat */
    " keeper uuid NOT NULL,"
    " state smallint NOT NULL,"
    " listed boolean NOT NULL,"
    " code bytea NOT NULL) WITH (fillfactor = 70);"
    "CREATE INDEX tables_waiting ON fathom.tables (n) WHERE listed AND state = 0;"
    "CREATE INDEX tables_state ON fathom.tables (state, n);"
    "CREATE INDEX tables_due ON fathom.tables (deadline_ms, n)"
    " WHERE deadline_ms > 0 AND state <> 3;"
    "CREATE INDEX tables_keeper ON fathom.tables (keeper) WHERE state = 1;"

    "CREATE TABLE fathom.codes (code bytea PRIMARY KEY, table_id uuid NOT NULL);"

    "CREATE TABLE fathom.events ("
    " table_id uuid NOT NULL,"
    " seq bigint NOT NULL,"
    " tag bigint NOT NULL," /* of its group, plus its position in the group */
    " event bytea NOT NULL,"
    " PRIMARY KEY (table_id, seq)) PARTITION BY HASH (table_id);"
    "CREATE TABLE fathom.tokens ("
    " table_id uuid NOT NULL,"
    " hash bytea NOT NULL,"
    " role smallint NOT NULL,"
    " seat smallint NOT NULL,"
    " PRIMARY KEY (table_id, hash)) PARTITION BY HASH (table_id);"
    "CREATE TABLE fathom.records ("
    " table_id uuid PRIMARY KEY,"
    " text bytea NOT NULL) PARTITION BY HASH (table_id);"
    "DO $$BEGIN FOR i IN 0..47 LOOP"
    " EXECUTE format('CREATE TABLE fathom.%1$s_%2$s PARTITION OF fathom.%1$s"
    " FOR VALUES WITH (MODULUS 16, REMAINDER %2$s)',"
    " (ARRAY['events', 'tokens', 'records'])[i / 16 + 1], i % 16);"
    "END LOOP; END$$;"

    "CREATE TABLE fathom.nodes (id uuid PRIMARY KEY, until timestamptz NOT NULL);"

    /* The numbers of the answers are those of `answers` in postgres_write.c. */
    "CREATE FUNCTION fathom.refusal(which uuid, wanted bigint) RETURNS text LANGUAGE sql AS $$"
    " SELECT coalesce((SELECT CASE WHEN wanted <= last_seq THEN '2' ELSE '3' END"
    "  FROM fathom.tables WHERE id = which), '1')"
    "$$;"

    /* Creates the table's row and its code; '0', or why not. */
    "CREATE FUNCTION fathom.make(which uuid, its_code bytea, is_listed boolean)"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " INSERT INTO fathom.tables (id, last_seq, deadline_ms, keeper, state, listed, code)"
    "  VALUES (which, 0, 0, '00000000-0000-0000-0000-000000000000', 0, is_listed, its_code)"
    "  ON CONFLICT DO NOTHING;"
    " IF NOT FOUND THEN RETURN '4'; END IF;"
    " IF length(its_code) = 0 THEN RETURN '0'; END IF;"
    " INSERT INTO fathom.codes VALUES (its_code, which) ON CONFLICT DO NOTHING;"
    " RETURN CASE WHEN FOUND THEN '0' ELSE '4' END;"
    "END$$;"

    /* A table has its code until it is closed. Sets the state; '0', or why it cannot be set. */
    "CREATE FUNCTION fathom.go(which uuid, wanted smallint) RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE was smallint; its_code bytea;"
    "BEGIN"
    " SELECT state, code INTO was, its_code FROM fathom.tables WHERE id = which;"
    " UPDATE fathom.tables SET state = wanted WHERE id = which;"
    " IF length(its_code) = 0 OR (was = 3) = (wanted = 3) THEN RETURN '0'; END IF;"
    " IF wanted = 3 THEN"
    "  DELETE FROM fathom.codes WHERE code = its_code AND table_id = which;"
    "  RETURN '0';"
    " END IF;"
    " INSERT INTO fathom.codes VALUES (its_code, which) ON CONFLICT DO NOTHING;"
    " RETURN CASE WHEN FOUND THEN '0' ELSE '5' END;"
    "END$$;"

    /* 34 bytes for each token: hash, role, seat. */
    "CREATE FUNCTION fathom.give(which uuid, tokens bytea) RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE given integer;"
    "BEGIN"
    " INSERT INTO fathom.tokens SELECT which, substr(tokens, 34 * i + 1, 32),"
    "  get_byte(tokens, 34 * i + 32), get_byte(tokens, 34 * i + 33)"
    "  FROM generate_series(0, length(tokens) / 34 - 1) i ON CONFLICT DO NOTHING;"
    " GET DIAGNOSTICS given = ROW_COUNT;"
    " RETURN CASE WHEN given = length(tokens) / 34 THEN '0' ELSE '6' END;"
    "END$$;"

    "CREATE FUNCTION fathom.append(which uuid, number bigint, its_tag bigint, bytes bytea,"
    " deadline bigint, program uuid) RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " UPDATE fathom.tables SET last_seq = number, deadline_ms = coalesce(deadline, deadline_ms),"
    "  keeper = coalesce(program, keeper) WHERE id = which AND last_seq = number - 1;"
    " IF NOT FOUND THEN RETURN fathom.refusal(which, number); END IF;"
    " INSERT INTO fathom.events VALUES (which, number, its_tag, bytes);"
    " RETURN '0';"
    "END$$;"

    "CREATE FUNCTION fathom.lock(mine bigint, ids uuid[]) RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(mine);" /* fathom.settle waits for this lock */
    " PERFORM 1 FROM fathom.tables WHERE id = ANY (ids) ORDER BY id FOR UPDATE;"
    " RETURN '';"
    "END$$;"

    /*
     * Several writes, each as a whole or not at all; returns a digit for each. Tables to which only
     * plain events are written come first: these are checked by their numbers and inserted
     * together. All others follow in the order of submission, by which new tables are numbered.
     */
    "CREATE FUNCTION fathom.write(program uuid, mine bigint, first_tag bigint, plain boolean[],"
    " ids uuid[], seqs bigint[], events bytea[], deadlines bigint[], keeps boolean[],"
    " states smallint[], codes bytea[], listed boolean[], tokens bytea[], records bytea[])"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE w record; at uuid; last bigint; answer text;"
    " answers text[] := array_fill('0'::text, ARRAY[cardinality(ids)]);"
    "BEGIN"
    " PERFORM fathom.lock(mine, ids);"
    " FOR w IN SELECT u.*, t.last_seq FROM unnest(plain, ids, seqs, events, deadlines, keeps,"
    "  states, codes, listed, tokens, records) WITH ORDINALITY AS u (plain, id, seq, event,"
    "  deadline, keeps, state, code, listed, tokens, record, i)"
    "  LEFT JOIN fathom.tables t ON u.plain AND t.id = u.id"
    "  ORDER BY CASE WHEN u.plain THEN u.id END NULLS LAST, u.i"
    " LOOP"
    "  IF w.plain THEN"
    "   IF at IS NULL OR at <> w.id THEN at := w.id; last := w.last_seq; END IF;"
    "   IF last IS NULL THEN answer := '1';"
    "   ELSIF w.seq <= last THEN answer := '2';"
    "   ELSIF w.seq > last + 1 THEN answer := '3';"
    "   ELSE answer := '0'; last := w.seq;"
    "   END IF;"
    "  ELSE"
    "   BEGIN" /* the exception undoes what was written of it */
    "    answer := '0';"
    "    IF w.code IS NOT NULL THEN"
    "     answer := fathom.make(w.id, w.code, w.listed);"
    "    END IF;"
    "    IF answer = '0' THEN"
    "     answer := fathom.append(w.id, w.seq, first_tag + w.i - 1, w.event, w.deadline,"
    "      CASE WHEN w.keeps THEN program END);"
    "    END IF;"
    "    IF answer = '0' AND w.state IS NOT NULL THEN"
    "     answer := fathom.go(w.id, w.state);"
    "    END IF;"
    "    IF answer = '0' AND w.tokens IS NOT NULL THEN"
    "     answer := fathom.give(w.id, w.tokens);"
    "    END IF;"
    "    IF answer = '0' AND w.record IS NOT NULL THEN"
    "     INSERT INTO fathom.records VALUES (w.id, w.record)"
    "      ON CONFLICT (table_id) DO UPDATE SET text = excluded.text;"
    "    END IF;"
    "    IF answer <> '0' THEN RAISE EXCEPTION USING ERRCODE = 'FMNO1'; END IF;"
    "   EXCEPTION WHEN SQLSTATE 'FMNO1' THEN"
    "   END;"
    "  END IF;"
    "  answers[w.i] := answer;"
    " END LOOP;"
    " IF true = ANY (plain) THEN"
    "  INSERT INTO fathom.events SELECT u.id, u.seq, first_tag + u.i - 1, u.event"
    "   FROM unnest(plain, answers, ids, seqs, events) WITH ORDINALITY"
    "    AS u (plain, answer, id, seq, event, i)"
    "   WHERE u.plain AND u.answer = '0';"
    "  UPDATE fathom.tables t SET last_seq = g.seq,"
    "   deadline_ms = coalesce(g.deadline, t.deadline_ms),"
    "   keeper = CASE WHEN g.keeps THEN program ELSE t.keeper END"
    "   FROM (SELECT u.id, max(u.seq) AS seq, bool_or(u.keeps) AS keeps, (array_agg(u.deadline"
    "     ORDER BY u.seq DESC) FILTER (WHERE u.deadline IS NOT NULL))[1] AS deadline"
    "    FROM unnest(plain, answers, ids, seqs, deadlines, keeps)"
    "     AS u (plain, answer, id, seq, deadline, keeps)"
    "    WHERE u.plain AND u.answer = '0' GROUP BY u.id) g"
    "   WHERE t.id = g.id;"
    " END IF;"
    " RETURN array_to_string(answers, '');"
    "END$$;"

    /*
     * Which of these events were written with their tags: a digit for each. Waits until the
     * connection that wrote them has ended, and writes something itself: when that is durable, so
     * are they.
     */
    "CREATE FUNCTION fathom.settle(mine bigint, first_tag bigint, ids uuid[], seqs bigint[])"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE kept text;"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(mine);"
    " PERFORM pg_logical_emit_message(true, 'fathom', '');"
    " SELECT string_agg(CASE WHEN e.tag = first_tag + u.i - 1 THEN '1' ELSE '0' END, '' ORDER BY "
    "u.i)"
    "  INTO kept FROM unnest(ids, seqs) WITH ORDINALITY AS u (id, seq, i)"
    "  LEFT JOIN fathom.events e ON e.table_id = u.id AND e.seq = u.seq;"
    " RETURN kept;"
    "END$$;"

    "CREATE FUNCTION fathom.live(program uuid) RETURNS void LANGUAGE sql AS $$"
    " INSERT INTO fathom.nodes VALUES (program, clock_timestamp() + interval '5 s')"
    "  ON CONFLICT (id) DO UPDATE SET until = excluded.until"
    "$$;"

    /* A heartbeat. Tables in play whose keeper is gone, or that are overdue, are given to this
     * program. The recursion jumps from keeper to keeper in the index. */
    "CREATE FUNCTION fathom.beat(program uuid, most integer)"
    " RETURNS TABLE (id uuid, seq bigint) LANGUAGE plpgsql AS $$"
    "#variable_conflict use_column\n"
    "DECLARE now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;"
    "BEGIN"
    " PERFORM fathom.live(program);"
    " DELETE FROM fathom.nodes WHERE id IN (SELECT id FROM fathom.nodes"
    "  WHERE until < clock_timestamp() - interval '1 min' FOR UPDATE SKIP LOCKED);"
    " RETURN QUERY"
    " WITH RECURSIVE keepers (keeper) AS ("
    "  (SELECT keeper FROM fathom.tables WHERE state = 1 ORDER BY keeper LIMIT 1)"
    "  UNION ALL"
    "  SELECT (SELECT t.keeper FROM fathom.tables t WHERE t.state = 1 AND t.keeper > k.keeper"
    "   ORDER BY t.keeper LIMIT 1) FROM keepers k WHERE k.keeper IS NOT NULL),"
    " gone AS (SELECT keeper FROM keepers WHERE keeper IS NOT NULL AND NOT EXISTS"
    "  (SELECT FROM fathom.nodes n WHERE n.id = keeper AND n.until > clock_timestamp())),"
    " left_behind AS (SELECT id FROM fathom.tables WHERE state = 1"
    "  AND keeper IN (SELECT keeper FROM gone) LIMIT most FOR UPDATE SKIP LOCKED),"
    " overdue AS (SELECT id FROM fathom.tables WHERE state = 1 AND deadline_ms > 0"
    "  AND deadline_ms < now_ms - 2000 AND claimed_ms < now_ms - 2000"
    "  ORDER BY deadline_ms LIMIT most FOR UPDATE SKIP LOCKED)"
    " UPDATE fathom.tables t SET keeper = program, claimed_ms = now_ms"
    "  WHERE t.id IN (SELECT id FROM left_behind UNION SELECT id FROM overdue)"
    "  RETURNING t.id, t.last_seq;"
    "END$$;",

    /* 2: a secret that all programs share */
    "ALTER TABLE fathom.program ADD COLUMN key bytea NOT NULL"
    " DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());",

    /*
     * 3: when events were written (in seconds; for older events, the time of this migration), up to
     * which event a table was trimmed, codes that can be reused once a table is over, and deleting
     * tables, by setting a state 4 that is never stored.
     */
    "ALTER TABLE fathom.events ADD COLUMN at_s bigint NOT NULL"
    " DEFAULT extract(epoch FROM now())::bigint;"
    "ALTER TABLE fathom.tables ADD COLUMN trimmed_seq bigint NOT NULL DEFAULT 0;"
    "DELETE FROM fathom.codes c USING fathom.tables t WHERE t.id = c.table_id AND t.state >= 2;"
    "CREATE OR REPLACE FUNCTION fathom.go(which uuid, wanted smallint)"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE was smallint; its_code bytea;"
    "BEGIN"
    " SELECT state, code INTO was, its_code FROM fathom.tables WHERE id = which;"
    " IF wanted >= 2 THEN"
    "  DELETE FROM fathom.codes WHERE code = its_code AND table_id = which;"
    " END IF;"
    " IF wanted = 4 THEN"
    "  DELETE FROM fathom.records WHERE table_id = which;"
    "  DELETE FROM fathom.tokens WHERE table_id = which;"
    "  DELETE FROM fathom.events WHERE table_id = which;"
    "  DELETE FROM fathom.tables WHERE id = which;"
    "  RETURN '0';"
    " END IF;"
    " UPDATE fathom.tables SET state = wanted WHERE id = which;"
    " IF length(its_code) = 0 OR wanted >= 2 OR was < 2 THEN RETURN '0'; END IF;"
    " INSERT INTO fathom.codes VALUES (its_code, which) ON CONFLICT DO NOTHING;"
    " RETURN CASE WHEN FOUND THEN '0' ELSE '5' END;"
    "END$$;",

    /*
     * 4: a writer numbers its connections. When it has lost one, it bars all before its present
     * one, and whatever they sent is refused, however late it is processed. A row records this,
     * because a stalled server process receives no signal, and because a row survives a failover.
     */
    "CREATE TABLE fathom.bars ("
    " writer bigint PRIMARY KEY,"
    " connection bigint NOT NULL," /* the first that is not barred */
    " at timestamptz NOT NULL DEFAULT clock_timestamp());"

    /* Each statement here sees everything that was committed before it, so it sees the row that
     * another connection wrote under the same lock. */
    "CREATE FUNCTION fathom.pass(mine bigint, number bigint) RETURNS void LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(mine);"
    " IF EXISTS (SELECT FROM fathom.bars WHERE writer = mine AND connection > number) THEN"
    "  RAISE EXCEPTION USING ERRCODE = 'FMOLD', MESSAGE = 'its program has given this connection"
    " up';"
    " END IF;"
    "END$$;"

    "CREATE FUNCTION fathom.write(number bigint, program uuid, mine bigint, first_tag bigint,"
    " plain boolean[], ids uuid[], seqs bigint[], events bytea[], deadlines bigint[],"
    " keeps boolean[], states smallint[], codes bytea[], listed boolean[], tokens bytea[],"
    " records bytea[]) RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM fathom.pass(mine, number);"
    " RETURN fathom.write(program, mine, first_tag, plain, ids, seqs, events, deadlines, keeps,"
    "  states, codes, listed, tokens, records);"
    "END$$;"

    /*
     * Only a lost connection of this writer can hold the writer's lock. It is terminated, so that
     * this one need not wait for it, unless it has committed and waits for the standby. If it
     * cannot be terminated (it is stopped, or belongs to another user), this waits.
     */
    "CREATE FUNCTION fathom.bar(mine bigint, number bigint) RETURNS void LANGUAGE plpgsql AS $$"
    "BEGIN"
    " BEGIN"
    "  PERFORM pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
    "   WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND a.datname = current_database()"
    "   AND l.database = a.datid AND l.classid = ((mine >> 32) & 4294967295)::oid"
    "   AND l.objid = (mine & 4294967295)::oid AND l.pid <> pg_backend_pid()"
    "   AND a.wait_event IS DISTINCT FROM 'SyncRep';"
    " EXCEPTION WHEN insufficient_privilege THEN"
    " END;"
    " PERFORM pg_advisory_xact_lock(mine);"
    " INSERT INTO fathom.bars VALUES (mine, number) ON CONFLICT (writer) DO UPDATE"
    "  SET connection = greatest(bars.connection, excluded.connection), at = excluded.at;"
    " DELETE FROM fathom.bars WHERE writer IN (SELECT writer FROM fathom.bars"
    "  WHERE at < clock_timestamp() - interval '30 days' FOR UPDATE SKIP LOCKED);"
    "END$$;"

    "CREATE FUNCTION fathom.settle(number bigint, mine bigint, first_tag bigint, ids uuid[],"
    " seqs bigint[]) RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM fathom.bar(mine, number);"
    " RETURN fathom.settle(mine, first_tag, ids, seqs);"
    "END$$;",
};
const int st__pg_schema_n = sizeof st__pg_schema / sizeof st__pg_schema[0];
