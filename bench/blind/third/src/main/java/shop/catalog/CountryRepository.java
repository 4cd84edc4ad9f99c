package shop.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.sql.DataSource;
import shop.common.Repository;

/**
 * Reads the countries that the shop delivers to. The table is filled when the database is set up;
 * rows are never changed or deleted, but may be added.
 *
 * <p>Thread-safe if the data source is. Countries are kept in memory once they were read; two threads
 * that ask for the same country at first may both read it, which does no harm as the rows are equal.
 */
@Repository
public class CountryRepository {

    /** A country. */
    public record Country(String code, String name, boolean customsUnion) {
    }

    private static final String SELECT = "select code, name, customs_union from country";

    private final DataSource dataSource;
    private final ConcurrentMap<String, Country> known = new ConcurrentHashMap<>();

    /** Creates a repository. */
    public CountryRepository(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * Finds a country.
     *
     * @param code its two-letter code in upper or lower case
     * @return the country, or empty if there is none with this code
     */
    public Optional<Country> find(String code) throws SQLException {
        String key = code.toUpperCase(Locale.ROOT);
        Country country = known.get(key);
        if (country == null) {
            country = read(key);
            if (country != null) {
                known.put(key, country);
            }
        }
        return Optional.ofNullable(country);
    }

    /** Tells whether no customs declaration is needed for a country; false if there is no such country. */
    public boolean isInCustomsUnion(String code) throws SQLException {
        return find(code).map(Country::customsUnion).orElse(false);
    }

    /** Reads all countries, sorted by code. */
    public List<Country> findAll() throws SQLException {
        List<Country> result = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(SELECT + " order by code");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                result.add(map(rows));
            }
        }
        result.forEach(country -> known.put(country.code(), country));
        return result;
    }

    /** Forgets the countries kept in memory. */
    public void clear() {
        known.clear();
    }

    private Country read(String code) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(SELECT + " where code = ?")) {
            statement.setString(1, code);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? map(rows) : null;
            }
        }
    }

    private static Country map(ResultSet row) throws SQLException {
        return new Country(row.getString("code"), row.getString("name"), row.getBoolean("customs_union"));
    }
}
